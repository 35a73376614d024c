export bench/Base.uhp --where 'plies < 40'
