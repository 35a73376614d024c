convert --to uhp --loss error games/forced-pass/game.pgn games/both-queens/game.uhp
