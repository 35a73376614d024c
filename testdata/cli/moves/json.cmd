moves games/pillbug-duel/game.uhp@17 --piece bA1 --format json
