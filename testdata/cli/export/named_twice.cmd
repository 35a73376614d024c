export --table plies games/forced-pass/game.uhp games/forced-pass/game.uhp --format tsv
