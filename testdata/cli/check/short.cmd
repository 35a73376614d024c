check --format short notation/uhp/invalid/good_game_between_bad_ones.uhp notation/pgn/invalid
