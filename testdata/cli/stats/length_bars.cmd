stats length --by length:25 bench/Base.uhp --metrics games,score
