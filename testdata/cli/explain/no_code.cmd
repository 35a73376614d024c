explain one-hiv
