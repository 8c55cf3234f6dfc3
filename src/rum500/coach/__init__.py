"""The coach: one opinion on a decision, which hints, verdicts, drills and puzzles share."""

from rum500.coach.advice import Advice, Evidence, Opinion, PlayLoss, Way
from rum500.coach.adviser import Adviser
from rum500.review.comparison import HINT
from rum500.review.verdict import WayName

__all__ = ["HINT", "Advice", "Adviser", "Evidence", "Opinion", "PlayLoss", "Way", "WayName"]
