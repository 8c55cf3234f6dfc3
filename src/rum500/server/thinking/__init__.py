"""Bots' choices and advice, computed in threads or processes. This package knows messages, but no table."""
