filter --type Base games/both-queens games/pillbug-duel/game.uhp --form canonical
