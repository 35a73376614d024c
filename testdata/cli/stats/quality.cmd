stats quality notation/sgf notation/pgn --format markdown --columns code,severity,findings,games,share
