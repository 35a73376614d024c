rules --pieces
