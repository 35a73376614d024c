stats games/both-queens games/pillbug-duel
