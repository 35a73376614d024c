convert --to sgf --verify notation/sgf/valid/variations.sgf
