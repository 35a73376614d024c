stats --by length games
