stats players games notation/sgf/valid --columns player,games,elo,elo_error,opponents
