stats players games bench/Base.uhp --format csv
