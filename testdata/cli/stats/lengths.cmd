stats --by length:25 --min-games 2 --top 3 --sort games bench/Base+MLP.uhp --format tsv
