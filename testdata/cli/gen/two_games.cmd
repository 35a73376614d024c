gen --type Base --games 2 --plies 6 --seed 1
