filter --min-plies 1 -


