filter --min-plies 5 notation/uhp/valid -m 1
