stats --by nothing games
