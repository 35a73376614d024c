diff notation/ndjson/valid/everything.ndjson notation/sgf/valid/variations.sgf
