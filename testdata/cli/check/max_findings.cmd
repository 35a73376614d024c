check --max-findings 2 --format short notation
