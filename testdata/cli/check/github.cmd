check --format github notation/uhp/invalid
