position --form lihive-board
board:

 *  wQ   *
   1  bQ   *

stack:

1: bottom -> [ wS1 wB1 ] <- top
