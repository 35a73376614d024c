diff Base.w.wQbQ games/both-queens/game.uhp
