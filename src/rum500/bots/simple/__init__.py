"""The four bots that do not search, to play against and to copy."""
