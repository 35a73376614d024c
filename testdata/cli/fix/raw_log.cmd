fix notation/sgf/valid/followed_by_its_raw_log.sgf
