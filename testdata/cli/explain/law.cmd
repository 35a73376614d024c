explain one-hive
