perft Base.w.wQbQ 2
