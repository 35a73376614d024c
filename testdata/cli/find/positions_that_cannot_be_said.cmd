find --where 'ply > 4' games/all-thirty/game.uhp -m 1 --form lihive-board
