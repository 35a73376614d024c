find --position Base.b.bGwG --same turned+colours bench/Base.uhp -c
