stats heat --kind A bench/Base.uhp
