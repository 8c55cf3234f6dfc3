"""Bots' choices and advice, computed in threads or worker processes. Knows messages and no table."""
