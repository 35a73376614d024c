notations --format json
