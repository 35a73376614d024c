show 'Base;InProgress;Black[1];wS1'
