explain --why-not 'pass' games/forced-pass/game.uhp@7
