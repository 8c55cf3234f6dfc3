"""After a deal or match: results, replays, and positions that are tried again."""
