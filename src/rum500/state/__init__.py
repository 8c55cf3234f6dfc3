"""One deal: `State`, dealing, refused plays, and positions as text."""

from rum500.state.core_setup import default_deal_number
from rum500.state.deal_bytes import BytesError
from rum500.state.illegal_play import IllegalPlay
from rum500.state.melds import BestMelds, best_melds, points
from rum500.state.position import Position, PositionError, position_from_text, view_to_text
from rum500.state.position_limits import MOST_POSITION
from rum500.state.returns import RETURN_KINDS, ReturnKind
from rum500.state.state import State, deal

__all__ = [
    "MOST_POSITION",
    "RETURN_KINDS",
    "BestMelds",
    "BytesError",
    "IllegalPlay",
    "Position",
    "PositionError",
    "ReturnKind",
    "State",
    "best_melds",
    "deal",
    "default_deal_number",
    "points",
    "position_from_text",
    "view_to_text",
]
