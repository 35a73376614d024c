convert --to uhp notation/sgf/valid/variations.sgf
