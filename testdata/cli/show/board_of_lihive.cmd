show -
~0.0QbB~1.0bQ-1A
