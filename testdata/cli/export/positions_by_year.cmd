export --table positions --partition year -o nowhere games
