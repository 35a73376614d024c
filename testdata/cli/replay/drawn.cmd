replay games/forced-pass/game.pgn@2 --draw
