classify -
Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-
Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1/
Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1\
Base;InProgress;White[3];wS1;bS1 wS1-;wQ \wS1;bQ bS1-
Base;InProgress;White[3];wS1;bS1 wS1-;wQ \wS1;bQ bS1\
Base;InProgress;White[3];wS1;bS1 wS1-;wQ \wS1;bQ bS1/
Base;InProgress;White[4];wS1;bS1 wS1-;wQ -wS1;bA1 bS1-;wA1 -wQ;bQ bA1-
Base;InProgress;White[3];wQ;bS1 wQ-;wS1 -wQ;bQ bS1-
Base;InProgress;White[2];wS1;bS1 wS1-
Base;InProgress;White[5];wS1;bG1 wS1-;wQ -wS1;bQ bG1-;wA2 -wQ;bA1 bQ-;wA2 bA1-;bA1 wA2-
