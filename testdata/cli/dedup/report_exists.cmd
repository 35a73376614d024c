dedup --report cli/dedup/turned.cmd games
