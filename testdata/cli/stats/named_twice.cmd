stats --by type,type games
