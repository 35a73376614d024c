merge games/pillbug-duel/game.uhp games/pillbug-duel/game.pgn games/pillbug-duel/game.sgf
