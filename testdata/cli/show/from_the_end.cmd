show games/pillbug-duel/game.sgf@-1
