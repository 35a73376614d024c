sample --games 2 --seed 1 bench/Base.uhp
