check --deny blanks --allow blanks games
