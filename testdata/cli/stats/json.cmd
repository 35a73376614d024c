stats --by result --where 'plies > 60' bench/Base.uhp --format json
