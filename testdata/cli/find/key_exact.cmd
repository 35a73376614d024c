find --key 8f14a02daaf0289a10a15ac3fd8b9fa9 --same exact games
