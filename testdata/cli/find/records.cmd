find --where 'around(wQ) == 6 and around(bQ) == 6' games/both-queens/game.uhp --to pgn
