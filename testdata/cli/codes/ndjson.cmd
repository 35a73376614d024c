codes --format ndjson
