dedup games/both-queens --to uhp
