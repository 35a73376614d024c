filter --opening-shape F games/pillbug-duel games/both-queens --output addresses
