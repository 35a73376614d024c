check --summary notation
