fix --only no-such-thing games
