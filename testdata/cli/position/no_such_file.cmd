position no-such-file
