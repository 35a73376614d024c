check notation/pgn/invalid
