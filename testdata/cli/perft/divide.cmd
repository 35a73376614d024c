perft games/both-queens/game.uhp@-1 1 --divide
