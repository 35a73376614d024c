diff no-such-file games/both-queens/game.uhp
