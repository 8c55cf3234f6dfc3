"""One deal: `State`, dealing, refused plays, and positions as text."""

from rum500.state._state import IllegalPlay, ReturnKind, State, deal
from rum500.state.core_setup import default_deal_number
from rum500.state.deal_bytes import BytesError
from rum500.state.position import Position, PositionError, position_from_text, view_to_text

__all__ = [
    "BytesError",
    "IllegalPlay",
    "Position",
    "PositionError",
    "ReturnKind",
    "State",
    "deal",
    "default_deal_number",
    "position_from_text",
    "view_to_text",
]
