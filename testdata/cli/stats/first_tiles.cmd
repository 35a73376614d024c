stats openings bench/Base+MLP.uhp --by tiles --top 5 --format tsv
