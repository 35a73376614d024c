find --same exact --result draw games
