position --form ascii
Base.w.wQbQ

BaseMLP.b5.wA1bB1_wB1~.-bQ
