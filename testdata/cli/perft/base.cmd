perft Base 4
