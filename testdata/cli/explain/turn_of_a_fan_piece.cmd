explain --why-not 'bFl bQ' games/all-thirty/game.uhp@40
