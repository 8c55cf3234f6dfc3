"""The parts of hints: what a seat could do, what the coach advises and why, and how good the plays are."""

from __future__ import annotations

from typing import Literal

from rum500.server.messages.field_types import HintDepth, WireStruct
from rum500.server.messages.review import ReviewCandidate, ReviewPlay

EvidenceName = Literal["none", "likely", "clear"]
"""As `rum500.coach.Evidence`."""


class HintReason(WireStruct, omit_defaults=True):
    """A fact that speaks for the suggested play, in the parts of its sentence."""

    code: str
    """The code of its sentence, `thumb.` and a word."""
    cards: list[str] = []
    """The cards in the sentence."""
    count: int | None = None
    """A number of cards."""
    points: int | None = None
    """Points of this deal."""
    seat: int | None = None
    """Another seat that the sentence is about."""


class HintWay(WireStruct, omit_defaults=True):
    """The best play if the seat plays on in one way."""

    way: Literal["hold", "lay"]
    """As `rum500.coach.WayName`: it holds melds back, or lays at once whatever it can."""
    best: ReviewPlay
    second: ReviewPlay | None = None
    """For `numbers`, the play to compare with: the best one in the other way, or else the next best."""
    gain: float = 0.0
    """For `numbers`, the lead of `best` over `second` in even-score points."""
    half: float = 0.0
    """For `numbers`, half the width of the gain's 95 % interval."""
    evidence: EvidenceName = "none"
    """For `numbers`, how sure the gain is."""
    chances: list[float] = []
    """For `numbers`, the chance to win the match after `second` and after `best`; empty where points alone
    count."""


class HintInfo(WireStruct, omit_defaults=True):
    """A hint about a decision; it follows from what its seat may see."""

    depth: HintDepth
    plays: list[ReviewPlay] = []
    """For `possible`, what can be played, in no order of quality. Of many melds and lay-offs with jokers not
    all are listed."""
    choice: ReviewPlay | None = None
    """For `reason` and `numbers`, the best play, however the seat plays on; None if it depends on that."""
    evidence: EvidenceName = "none"
    """For `reason` and `numbers`, how sure it is that no other play is as good as `choice`."""
    reasons: list[HintReason] = []
    """For `reason` and `numbers`, what speaks for `choice`."""
    ways: list[HintWay] = []
    """For `reason` and `numbers`, the best play for each way of playing on: holding, and laying."""
    candidates: list[ReviewCandidate] = []
    """For `numbers`, what was compared, best first, by the smaller of both losses. Leads are over `choice`;
    plays that are not `as_good` are surely worse. Empty if there is no `choice`."""
    worlds: int = 0
    """For `numbers`, the number of deals in which the best plays were compared, in each way; 0 if exact."""
