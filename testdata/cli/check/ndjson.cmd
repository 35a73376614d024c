check --format ndjson notation/uhp/invalid/good_game_between_bad_ones.uhp
