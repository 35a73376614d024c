show -
Base+SiKbCi, turn White[9], used bKb, turned wA1

  wSi wSi' wQ_ bQ
     (wA1) bKb

stack: _wCi < wQ
