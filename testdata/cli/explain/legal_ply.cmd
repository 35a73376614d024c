explain games/pillbug-duel/game.sgf@7
