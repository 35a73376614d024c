show games/pillbug-duel/game.pgn --at 20
