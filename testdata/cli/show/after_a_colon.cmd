show -
Look at this:
Base+MLP, turn White[2]

  wQ    bQ
