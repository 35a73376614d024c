stats --format ndjson games/pillbug-duel games/both-queens --columns games,white,draw,black,plies,score
