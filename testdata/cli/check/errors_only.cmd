check -q notation/uhp/invalid
