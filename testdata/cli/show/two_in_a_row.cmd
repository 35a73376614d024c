show
   wA1
 wQ bQ
