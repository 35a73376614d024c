sort --by nothing games
