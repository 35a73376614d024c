check -
Base.w.wQbQ
Base.w1.wQ_bA
Base.w.wQwQ
Base.x

Base.b.bQwQ
