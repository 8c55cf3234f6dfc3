"""Finished deals and matches: results, replays, records, and positions that are played again."""
