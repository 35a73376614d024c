convert --to uhp games/forced-pass/game.pgn games/both-queens/game.pgn
