filter --result draw -c games/both-queens
