tree --position Base.w.wAwQwSbSbQbA --same turned+colours -
Base;WhiteWins;Black[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wG1 -wA1
Base;BlackWins;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \wQ;bA1 bQ-;wA1 -wQ;bG1 bA1-
