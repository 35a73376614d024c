tree bench/Base.uhp --depth 2 --min-games 3
