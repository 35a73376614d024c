find --key 8f14a02daaf0289 games
