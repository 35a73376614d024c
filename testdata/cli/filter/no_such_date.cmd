filter --since 2024-13 games
