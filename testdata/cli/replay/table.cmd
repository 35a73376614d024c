replay games/forced-pass/game.pgn
