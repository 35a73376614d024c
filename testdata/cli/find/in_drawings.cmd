find --where 'around(wQ) == 2' - --form canonical
Base, turn White[2]

   .     .
  wQ    bQ

Base, turn White[3]

   .     .
  wQ    bQ
     bA1

Base, turn Black[3]
  wQ    bQ
     wA1   .
