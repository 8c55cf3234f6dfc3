"""A fixed way to evaluate bots: the same opponents, games and cards for every bot, and results to compare."""
