moves --piece wTi --format json -
{"to_move":"white","cells":[{"q":0,"r":0,"stack":["wTi"]},{"q":1,"r":0,"stack":["bP"]},{"q":2,"r":0,"stack":["bQ"]},{"q":0,"r":1,"stack":["wQ"]},{"q":1,"r":1,"stack":["wG1"]}]}
