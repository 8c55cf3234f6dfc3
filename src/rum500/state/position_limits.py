"""The largest positions and numbers that are read."""

MOST_POSITION = 1 << 20
"""The most characters or bytes of a position, and bytes of a deal."""
MOST_POINTS = 999_999_999
"""The largest total of points before a deal; its negative is the smallest."""
MOST_DEALS = 100_000
"""The largest number of a deal in its match."""
