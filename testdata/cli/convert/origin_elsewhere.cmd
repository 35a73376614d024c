convert --to uhp --origin games/both-queens/game.uhp
