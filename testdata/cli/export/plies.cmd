export --table plies --format tsv games/both-queens/game.uhp
