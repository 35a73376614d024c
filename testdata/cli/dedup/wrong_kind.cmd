dedup --by most games
