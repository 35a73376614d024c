tree --position Base.w.bGwG bench/Base.uhp --format csv
