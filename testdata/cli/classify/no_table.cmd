classify --table no-such.tsv games
