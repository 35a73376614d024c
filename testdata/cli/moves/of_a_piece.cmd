moves games/both-queens/game.uhp@3 --piece bQ
