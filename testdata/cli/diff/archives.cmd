diff notation/pgn/valid/two_games_and_results_that_differ.pgn -
[GameType "Base"]
[White "Ada"]
1. wS1

[GameType "Base"]
[White "Zoe"]
1. wA1
2. bA1 wA1-
