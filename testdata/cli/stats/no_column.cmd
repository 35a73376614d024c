stats --by type games --columns type,nothing
