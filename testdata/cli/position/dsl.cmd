position games/pillbug-duel/game.sgf@20 --form dsl
