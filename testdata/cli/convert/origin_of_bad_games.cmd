convert --to ndjson --origin notation/uhp/invalid
