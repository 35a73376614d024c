convert --to uhp --dialect mzinga games/forced-pass/game.pgn
