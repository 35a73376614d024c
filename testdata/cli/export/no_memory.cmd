export --memory 0 games
