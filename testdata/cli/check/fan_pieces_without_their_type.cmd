check -
Base;InProgress;White[2];wFy;bMa wFy-
