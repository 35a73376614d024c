position games/all-thirty/game.uhp@120
