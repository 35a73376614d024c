filter --min-plies 0 notation/uhp/invalid/good_game_between_bad_ones.uhp
