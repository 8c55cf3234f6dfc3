"""Upper limits for positions that are read."""

MOST_POSITION = 1 << 20
"""The largest size of a position, in characters or bytes, and of a deal in bytes."""
MOST_POINTS = 999_999_999
"""The largest total of points before a deal; the smallest is its negative."""
MOST_DEALS = 100_000
"""The largest number of a deal in its match."""
