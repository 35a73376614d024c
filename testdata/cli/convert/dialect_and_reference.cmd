convert --to pgn --dialect iongier --reference keep notation/uhp/valid/self_reference.uhp
