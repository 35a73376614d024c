export --partition type games
