dedup --tags '' games
