filter --type Base --result draw games/both-queens/game.sgf games/both-queens/game.pgn --to uhp
