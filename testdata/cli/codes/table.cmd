codes
