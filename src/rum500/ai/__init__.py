"""What a seat may believe of the cards it does not see: deals that agree with its view."""

from rum500.ai.card_odds import ODDS_ONE, beliefs, expected, odds
from rum500.ai.hand_belief import HandBelief
from rum500.ai.known_deal import KnownDeal, known_deal, sample

__all__ = ["ODDS_ONE", "HandBelief", "KnownDeal", "beliefs", "expected", "known_deal", "odds", "sample"]
