find --where 'opening == none and ply == plies' games/both-queens/game.uhp games/pillbug-duel/game.uhp
