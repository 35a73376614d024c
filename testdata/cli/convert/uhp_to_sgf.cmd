convert --to sgf games/forced-pass/game.uhp
