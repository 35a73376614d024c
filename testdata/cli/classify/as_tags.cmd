classify games/pillbug-duel/game.uhp --to ndjson
