moves 'Base+MLP;NotStarted;White[1]'
