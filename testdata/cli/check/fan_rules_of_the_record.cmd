check -
{"hivekit":1,"type":"Base+As","tags":{"Rules":"queen_removal=wins, colour=red"},"plies":["wAs","bA1 wAs-","wQ -wAs"]}
