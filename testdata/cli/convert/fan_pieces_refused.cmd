convert --to sgf games/all-thirty/game.uhp
