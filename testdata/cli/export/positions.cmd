export --table positions --where 'plies < 40' --max-plies 36 bench/Base.uhp --format ndjson
