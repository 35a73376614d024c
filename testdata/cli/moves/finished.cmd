moves games/both-queens/game.uhp
