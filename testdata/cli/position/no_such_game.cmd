position games/both-queens/game.uhp#0
