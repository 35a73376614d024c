position --form exact
{"to_move":"black","cells":[{"q":0,"r":0,"stack":["wQ"]}]}
{"to_move":"white","cells":[{"q":3,"r":0,"stack":["wX"]}]}
{"to_move":"white",
"cells":[]}
