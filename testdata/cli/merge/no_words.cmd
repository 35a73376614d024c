merge --to sgf games/all-thirty/game.uhp games/forced-pass/game.uhp
