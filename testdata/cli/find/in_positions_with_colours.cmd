find --position Base.w.bQwQ --same turned+colours - --output rows --format csv
Base.w.wQbQ
Base.w1.wQ_bA
Base.w.wQwQ
Base.x

Base.b.bQwQ
