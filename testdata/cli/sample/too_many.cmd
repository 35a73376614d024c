sample --share 1.5 games
