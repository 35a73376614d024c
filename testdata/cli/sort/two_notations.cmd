sort --by date games/both-queens
