moves games/../notation/uhp/valid/queen_first.uhp@0
