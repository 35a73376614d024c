explain games/pillbug-duel/game.sgf
