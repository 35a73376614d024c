find --where 'ply > 1000' games/both-queens/game.uhp
