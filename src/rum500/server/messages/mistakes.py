"""The types of "My mistakes" over HTTP: positions from reviewed matches that are repeated until learned.

A mistake is identified by its table, deal and step. Days are those of the guest's time zone.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rum500.server.messages.field_types import DealNumber
from rum500.server.messages.http import TableId
from rum500.server.messages.positions import PositionQuestion, SeatPosition
from rum500.server.messages.review import Kind, ReviewPlay, ReviewVerdict, Step

Zone = Annotated[str, Meta(min_length=1, max_length=64)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]


class MistakeName(Struct, forbid_unknown_fields=True):
    """The identity of a mistake: table, deal and play."""

    table: TableId
    deal: DealNumber
    step: Step
    """The number of the play in the deal, from 1."""


class MistakeAsked(MistakeName):
    """A question about what the rules allow in a mistake's position, like the message `ask` at a table."""

    question: PositionQuestion


class MistakeAnswer(MistakeName):
    """The guest's new play in the position of a mistake."""

    play: Annotated[str, Meta(min_length=1, max_length=200)]
    """The code of a legal play, or the play in notation."""
    seconds: Annotated[float, Meta(ge=0, le=86_400)]
    """The seconds that the guest thought."""
    zone: Zone
    """The name of the browser's time zone, such as `Europe/Berlin`."""


class MistakeHint(Struct):
    """A hint: the play in the match, and the kind of the best play. A right answer then counts as `hard`."""

    played: ReviewPlay
    """The guest's play in the match, which was wrong."""
    kind: Kind
    """What the choice between `played` and the best play is about."""
    best: Literal["draw", "take", "call", "let_go", "pass", "end", "meld", "lay", "discard"]
    """The kind of the best play."""
    right: int
    """The number of right plays among those compared."""


class MistakeQuestion(Struct):
    """A mistake that is due."""

    name: MistakeName
    position: SeatPosition
    answers: int
    """The number of times that the guest has answered this mistake."""
    hint: MistakeHint | None
    """The hint, if the guest has requested it before; else None."""


class MistakesToday(Struct):
    """The guest's progress today."""

    left: int
    """The number of mistakes that are due today. There are at most 20 answers a day."""
    done: int
    """The number of answers given today."""
    waiting: int
    """The number of all mistakes that are not learned yet."""
    learned: int
    """The number of mistakes that are learned and no longer repeated."""
    back: Day | None
    """The day on which the next mistake is due, if none is left today; None if there is none."""
    next: MistakeQuestion | None
    """The next question; None if none is left today."""


class MistakeResult(Struct):
    """Whether an answer was right, and when the mistake is due again."""

    right: bool
    """Whether the play is as good as the best, within the error of measurement."""
    rating: Literal["again", "hard", "good", "easy"]
    """The rating of the answer: `again` if it is wrong, `hard` if right after a hint, `easy` if right within
    five seconds, else `good`.
    """
    answer: ReviewPlay
    """The guest's new play."""
    verdict: ReviewVerdict | None
    """The verdict on a wrong answer; None for a right one."""
    then: ReviewVerdict
    """The verdict on the guest's play in the match."""
    back: Day | None
    """The day on which the mistake is due again; None if the mistake is learned."""
    days: int | None
    """The number of days until `back`; None if the mistake is learned."""
