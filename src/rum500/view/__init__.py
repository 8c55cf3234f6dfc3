"""Views of a deal, which contain only what one seat may know, and events with public and private parts."""

from rum500.view.event import Event
from rum500.view.from_core import meld_views, own_part, result_of, view_of
from rum500.view.view import PHASES, REASONS, MeldView, OwnPart, Phase, Placed, Result, View, table_svg

__all__ = [
    "PHASES",
    "REASONS",
    "Event",
    "MeldView",
    "OwnPart",
    "Phase",
    "Placed",
    "Result",
    "View",
    "meld_views",
    "own_part",
    "result_of",
    "table_svg",
    "view_of",
]
