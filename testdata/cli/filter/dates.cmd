filter --since 2026 --until 2026-11 games/pillbug-duel --output rows --format ndjson
