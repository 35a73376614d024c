find games/both-queens/game.uhp
