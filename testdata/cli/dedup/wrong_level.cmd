dedup --same moves games
