convert --to sgf --reference keep notation/uhp/valid/self_reference.uhp
