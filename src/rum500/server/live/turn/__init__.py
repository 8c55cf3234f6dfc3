"""Turns: the requests, clocks, bots and substitutes that add entries to a table's log."""
