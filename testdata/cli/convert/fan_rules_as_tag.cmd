convert --to pgn --rule queen_removal=wins -
Base+As;InProgress;Black[2];wAs;bA1 wAs-;wQ -wAs
