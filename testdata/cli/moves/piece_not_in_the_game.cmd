moves 'Base;NotStarted;White[1]' --piece wM
