convert --to pgn games/both-queens/game.sgf
