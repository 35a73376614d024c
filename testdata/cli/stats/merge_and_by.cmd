stats --merge part.json --by type
