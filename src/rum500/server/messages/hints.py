"""The parts of hints: what a seat can play, what the coach advises and why, and how good the plays are."""

from __future__ import annotations

from typing import Literal

from rum500.server.messages.field_types import HintDepth, WireStruct
from rum500.server.messages.review import ReviewCandidate, ReviewPlan, ReviewPlay

EvidenceName = Literal["none", "likely", "clear"]
"""The names of `rum500.coach.Evidence`."""


class HintReason(WireStruct, omit_defaults=True):
    """A fact that speaks for the suggested play: the parts of a sentence about it."""

    code: str
    """The code of the sentence: `thumb.` and a word."""
    cards: list[str] = []
    """The cards that the sentence names."""
    count: int | None = None
    """A number of cards in the sentence."""
    points: int | None = None
    """The points in the sentence, of this deal."""
    seat: int | None = None
    """The other seat that the sentence names."""


class HintWay(WireStruct, omit_defaults=True):
    """The best play for one way of playing on: holding melds back, or laying at once."""

    way: Literal["hold", "lay"]
    """The way: `hold` holds melds back, `lay` lays at once whatever it can."""
    best: ReviewPlay
    second: ReviewPlay | None = None
    """For `numbers`, the play to compare with: the other way's best play, or the next best play if both ways
    have the same best.
    """
    gain: float = 0.0
    """For `numbers`, by how much `best` is better than `second`, in even-score points."""
    half: float = 0.0
    """For `numbers`, half the width of the gain's 95 % interval."""
    evidence: EvidenceName = "none"
    """For `numbers`, how certain it is that `best` is better."""
    plan: ReviewPlan | None = None
    """The plan by which `best` is better than the next best play; None if none was found and confirmed."""
    chances: list[float] = []
    """For `numbers`, the chances to win the match after `second` and `best`; empty if only points count."""


class HintInfo(WireStruct, omit_defaults=True):
    """A hint about a decision. It depends only on what the seat may see."""

    depth: HintDepth
    plays: list[ReviewPlay] = []
    """For `possible`, the possible plays, in no order of quality. Of many melds and lay-offs with jokers,
    some are left out.
    """
    choice: ReviewPlay | None = None
    """For `reason` and `numbers`, the play that is best in both ways of playing on; None if the best plays
    differ.
    """
    evidence: EvidenceName = "none"
    """For `reason` and `numbers`, how certain it is that no other play is as good as `choice`."""
    reasons: list[HintReason] = []
    """For `reason` and `numbers`, the facts that speak for `choice`."""
    plan: ReviewPlan | None = None
    """For `reason` and `numbers`, the plan of `choice`; None if none was found and confirmed."""
    ways: list[HintWay] = []
    """For `reason` and `numbers`, the best play for each way of playing on."""
    candidates: list[ReviewCandidate] = []
    """For `numbers`, the plays that were compared, sorted by the smaller of their losses in the two ways,
    best first. A play's `lead` is its gain compared with `choice`; a play that is not `as_good` is certainly
    worse. Empty if there is no `choice`.
    """
    worlds: int = 0
    """For `numbers`, the number of deals in which the best plays were compared in each way; 0 if exact."""
