find --key 8f14a02daaf0289a,0000000000000000 -c games/pillbug-duel games/both-queens
