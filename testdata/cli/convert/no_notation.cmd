convert games/forced-pass/game.pgn
