show -#2@1
Base;NotStarted;White[1]
Base;InProgress;White[2];wS1;bS1 wS1-
