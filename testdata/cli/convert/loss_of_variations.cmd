convert --to sgf --loss error notation/ndjson/valid/illegal_variations.ndjson
