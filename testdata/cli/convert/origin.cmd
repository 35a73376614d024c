convert --to ndjson --origin games/both-queens/game.uhp notation/sgf/valid/variations.sgf
