fmt games/forced-pass/game.kaggle
