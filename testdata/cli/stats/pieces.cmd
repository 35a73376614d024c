stats pieces bench/Base+MLP.uhp --columns piece,games,placed,moved,distance
