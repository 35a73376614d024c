check --from sgf
not a game at all
