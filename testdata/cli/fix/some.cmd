fix -
Base;InProgress;White[2];wS1;bS1 wS1-;
Base;InProgress;White[2];wS1;bS1 -wS1-
Base;InProgress;White[2];wS1;bX
