tree games/both-queens games/forced-pass --depth 2 --format dot
