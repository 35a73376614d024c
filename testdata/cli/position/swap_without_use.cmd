position Base.w.wQbQ --swap-colours
