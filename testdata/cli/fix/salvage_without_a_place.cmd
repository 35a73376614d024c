fix --salvage -
Base;InProgress;White[2];wS1;bS1 wS2-;wQ -wS1
