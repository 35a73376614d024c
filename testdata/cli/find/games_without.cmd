find -v --where 'moves() == 0' games/forced-pass/game.uhp games/both-queens/game.uhp
