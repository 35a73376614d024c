fix --salvage --from pgn -
[GameType "Base"]
[White "Ada"]

1. wS1 {fine}
2. bS1 wS1-
3. wQ -bS1
4. bQ bS1- {lost}

WhiteWins
