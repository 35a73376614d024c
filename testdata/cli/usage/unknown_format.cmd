check --format xml
