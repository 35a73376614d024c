moves 'Base;InProgress;Black[4];wB1;bG1 wB1\;wQ -wB1;bQ /bG1;wA1 /wQ;bQ wQ\;wB1 bG1' --format json
