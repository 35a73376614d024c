check
Base;InProgress;White[2];wS1;bS1 wS1-
Base;InProgress;Black[1];bS1
