fmt notation/uhp/valid/letter_case.uhp notation/uhp/invalid/good_game_between_bad_ones.uhp
