diff games/both-queens/game.uhp games/both-queens/game.uhp@5
