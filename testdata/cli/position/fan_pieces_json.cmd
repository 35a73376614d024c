position --form json games/all-thirty/game.uhp@60
