"""Turns: requests, clocks, bots and substitutes; what adds entries to a table's log."""
