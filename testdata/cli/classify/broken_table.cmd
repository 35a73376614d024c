classify --table position/refused.tsv games
