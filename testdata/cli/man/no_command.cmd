man nosuch
