classify --table position/openings.tsv -
Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-
Base;InProgress;White[3];wS1;bS1 wS1-;wQ \wS1;bQ bS1-
