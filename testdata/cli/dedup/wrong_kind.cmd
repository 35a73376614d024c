dedup --same most games
