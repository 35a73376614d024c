fix --diff notation/uhp/valid notation/pgn/valid/two_games_and_results_that_differ.pgn
