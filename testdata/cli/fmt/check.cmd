fmt --check notation/pgn/valid
