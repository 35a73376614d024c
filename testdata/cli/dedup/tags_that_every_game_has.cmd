dedup --tags 'Result, GameType' -q - --to uhp
[GameType "Base"]
[Result "WhiteWins"]
1. wS1

[GameType "Base"]
[Result "BlackWins"]
1. wS1

[GameType "Base"]
[Result "WhiteWins"]
1. wS1
