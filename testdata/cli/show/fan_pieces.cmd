show games/all-thirty/game.uhp@120
