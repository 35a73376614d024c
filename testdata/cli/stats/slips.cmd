stats --by type --metrics missed_wins,allowed_wins,games games bench/Base.uhp
