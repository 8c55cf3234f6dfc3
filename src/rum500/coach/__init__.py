"""The coach: one opinion on a decision, which hints, verdicts, drills and puzzles share."""

from rum500.coach.advice import Advice, Evidence, Opinion, PlayLoss, Way, WayName
from rum500.coach.adviser import HINT, Adviser

__all__ = ["HINT", "Advice", "Adviser", "Evidence", "Opinion", "PlayLoss", "Way", "WayName"]
