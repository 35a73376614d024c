check --deny all --allow unfinished --warn syntax --format short notation/uhp/valid
