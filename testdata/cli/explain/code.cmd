explain duplicate-tag
