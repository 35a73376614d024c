export --table plies --schema sql
