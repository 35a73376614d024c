sample games
