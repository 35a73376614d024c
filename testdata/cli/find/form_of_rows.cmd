find --position Base.w.wQbQ games --output rows --form key
