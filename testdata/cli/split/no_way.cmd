split games
