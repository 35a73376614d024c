replay games/both-queens/game.sgf --format ndjson
