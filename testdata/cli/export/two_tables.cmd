export --table games,plies games
