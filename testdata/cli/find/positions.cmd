find --where 'around(wQ) >= 4 and to_move == black' games/both-queens/game.uhp --output positions
