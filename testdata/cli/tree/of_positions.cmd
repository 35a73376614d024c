tree -
{"to_move":"white","cells":[{"q":0,"r":0,"stack":["wQ"]},{"q":1,"r":0,"stack":["bQ"]}]}
