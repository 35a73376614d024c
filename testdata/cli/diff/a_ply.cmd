diff 'Base;InProgress;White[3];wS1;bG1 wS1-;wQ \wS1;bQ bG1-' 'Base;InProgress;Black[3];wS1;bG1 wS1-;wQ -wS1;bQ bG1-;wA1 -wQ'
