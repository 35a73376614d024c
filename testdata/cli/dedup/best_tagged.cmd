dedup --keep tags -
[GameType "Base"]
[White "Ada"]
1. wS1

[GameType "Base"]
[White "Ada"]
[Black "Cy"]
1. wS1
