"""What one seat may know, built up from nothing: views of a deal, and events born with two halves."""

from rum500.view._events import Event
from rum500.view._view import MeldView, OwnPart, Phase, Placed, Result, View, view_of

__all__ = ["Event", "MeldView", "OwnPart", "Phase", "Placed", "Result", "View", "view_of"]
