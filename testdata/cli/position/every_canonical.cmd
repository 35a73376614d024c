position games/pillbug-duel/game.sgf@3 --every --form canonical
