"""The parts of hints: what a seat could do, what `club` would do and why, and how good the plays are."""

from __future__ import annotations

from rum500.server.messages.field_types import HintDepth, WireStruct
from rum500.server.messages.review import LossWhy, ReviewCandidate, ReviewPlay


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


class HintInfo(WireStruct, omit_defaults=True):
    """A hint about a decision; it follows from what its seat may see."""

    depth: HintDepth
    plays: list[ReviewPlay] = []
    """For `possible`, what can be played, in no order of quality. Of many melds and lay-offs with jokers not
    all are listed."""
    choice: ReviewPlay | None = None
    """For `reason` and `numbers`, what `club` would play."""
    reasons: list[HintReason] = []
    """For `reason`, what speaks for it."""
    candidates: list[ReviewCandidate] = []
    """For `numbers`, what was compared, best first. Leads are over `choice`; what is not `as_good`
    is worse, beyond the error of measurement."""
    worlds: int = 0
    """For `numbers`, the number of deals in which `choice` was compared with the best; 0 if the result is
    exact, or if there is no other play."""
    why: LossWhy | None = None
    """For `numbers`, why `choice` is worse than the best; None if it is not."""
