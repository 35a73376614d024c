find --where 'height(wQ) > 1 or pinned(bQ)' --first --output rows --format csv games/both-queens games/pillbug-duel/game.pgn
