check games/pillbug-duel/game.pgn games/forced-pass
