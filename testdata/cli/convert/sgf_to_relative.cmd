convert --to relative games/forced-pass/game.sgf
