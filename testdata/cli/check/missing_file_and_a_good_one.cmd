check missing.uhp games/both-queens/game.uhp
