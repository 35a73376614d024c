sort --by date,-plies games/both-queens/game.pgn games/both-queens/game.sgf --to uhp
