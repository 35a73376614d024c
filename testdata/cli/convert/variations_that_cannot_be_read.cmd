convert --to ndjson notation/sgf/valid/variations_that_cannot_be_read.sgf
