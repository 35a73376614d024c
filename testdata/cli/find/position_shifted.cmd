find --position games/pillbug-duel/game.sgf@6 --same shifted games -l
