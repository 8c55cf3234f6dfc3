"""What a seat may believe of the cards it does not see: deals that agree with its view."""

from rum500.belief._seat import Seat, sample, seat_core
from rum500.belief.hands import Hands
from rum500.belief.inference import ODDS_ONE, beliefs, expected, odds

__all__ = ["ODDS_ONE", "Hands", "Seat", "beliefs", "expected", "odds", "sample", "seat_core"]
