stats --by player --metrics games,score,placed,queen_turn --sort score games/pillbug-duel/game.sgf games/both-queens/game.sgf --format markdown
