stats --shard 3/2 games
