tree --result white bench/Base+MLP.uhp --min-games 2
