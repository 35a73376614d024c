filter --cause boredom games
