find --where 'result == whitewins' games
