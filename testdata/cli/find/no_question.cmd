find --where 'around(wQ) >= ' games/both-queens/game.uhp
