rules --options --format csv
