export --table games,plies -o tables.csv games
