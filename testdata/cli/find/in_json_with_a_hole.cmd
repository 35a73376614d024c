find --where 'placed(wQ)' - --form exact
{"to_move":"white","cells":[{"q":0,"r":0,"stack":["wQ"]},{"q":1,"r":0,"stack":["bQ"]}]}
{"to_move":"white","cells":[
  {"q":0,"r":0,
{
  "to_move":"black",
  "cells":[{"q":0,"r":0,"stack":["wQ"]}]
}
