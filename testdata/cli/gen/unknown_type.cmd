gen --type Base+X
