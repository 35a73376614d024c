moves 'Base;NotStarted;White[1]' --opening any
