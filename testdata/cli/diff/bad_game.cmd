diff notation/uhp/invalid/good_game_between_bad_ones.uhp 'Base;NotStarted;White[1]'
