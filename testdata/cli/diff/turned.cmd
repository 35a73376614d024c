diff 'Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1' 'Base;InProgress;Black[2];wS1;bS1 wS1/;wQ /wS1'
