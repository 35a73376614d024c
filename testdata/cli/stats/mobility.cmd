stats mobility bench/Base+MLP.uhp --format csv
