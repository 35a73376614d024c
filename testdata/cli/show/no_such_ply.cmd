show games/both-queens/game.uhp@99
