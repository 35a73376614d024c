check --deny one-hiv games
