filter --player ADA games --output addresses
