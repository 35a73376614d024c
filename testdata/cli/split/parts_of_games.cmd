split --by ply:10 -o nowhere games
