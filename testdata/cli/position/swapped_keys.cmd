position Base.w.wQbQ Base.b.bQwQ --form key --swap-colours
