tree bench/Base.uhp --same shifted --depth 2 --min-games 3
