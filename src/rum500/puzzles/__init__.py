"""Puzzles: positions with one clear best play, mined from deals of bots and checked by measurement."""
