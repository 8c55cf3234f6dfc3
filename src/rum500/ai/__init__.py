"""What a seat may believe of the cards it does not see: deals that agree with its view."""

from rum500.ai.card_odds import ODDS_ONE, beliefs, expected, odds
from rum500.ai.hand_belief import Hands
from rum500.ai.known_deal import Seat, sample, seat_core

__all__ = ["ODDS_ONE", "Hands", "Seat", "beliefs", "expected", "odds", "sample", "seat_core"]
