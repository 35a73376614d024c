dedup --by prefix:2 --keep longest -
Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1
Base;InProgress;Black[2];wS1;bS1 wS1/;wQ /wS1
Base;InProgress;Black[2];wS2;bS2 wS2-;wQ -wS2
Base;InProgress;White[2];wS1;bS1 wS1-
Base;InProgress;Black[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ
Base;InProgress;Black[3];wA1;bA1 wA1-;wQ -wA1;bQ bA1-;wS1 -wQ
Base;NotStarted;White[1]
Base;NotStarted;White[1]
Base;Paused;White[1]
