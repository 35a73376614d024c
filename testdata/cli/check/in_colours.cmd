check --color always notation/uhp/invalid/pass_with_moves.uhp
