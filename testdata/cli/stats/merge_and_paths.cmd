stats --merge part.json --format csv games
