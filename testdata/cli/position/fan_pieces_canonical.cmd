position --form canonical games/all-thirty/game.uhp@120
