dedup --keep result -
Base;InProgress;Black[2];wS1;bG1 wS1-;wQ -wS1
Base;WhiteWins;Black[2];wS1;bG1 wS1-;wQ -wS1
