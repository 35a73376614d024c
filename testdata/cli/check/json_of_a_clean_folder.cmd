check --format json games/both-queens
