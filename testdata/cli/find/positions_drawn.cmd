find --where 'ply > 4 and ply < 8' -m 2 games/both-queens/game.uhp --form ascii
