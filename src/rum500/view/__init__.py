"""Views of a deal, which hold only what one seat may know, and events with a public and a private part."""

from rum500.view._events import Event
from rum500.view._from_core import meld_views, own_part, result_of, view_of
from rum500.view._view import PHASES, REASONS, MeldView, OwnPart, Phase, Placed, Result, View
from rum500.view.table_picture import table_svg

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
