stats --by type,result --format csv games/both-queens/game.uhp games/pillbug-duel/game.uhp bench/Base.uhp
