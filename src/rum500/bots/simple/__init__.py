"""The two simplest bots, to play against and to copy."""
