"""The types of drills over HTTP: ten short questions of one kind, made from deals of bots.

A question depends only on the drill and its number, so the server stores nothing of a drill. The right answer
is only in the result.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rum500.server.messages.field_types import Players, ProfileName
from rum500.server.messages.parts import ScoreSheetLine
from rum500.server.messages.positions import PositionQuestion, SeatPosition
from rum500.server.messages.review import ReviewVerdict

DrillName = Literal["draw", "lay", "discard", "count", "who", "salt", "late", "stock", "collect"]
"""`draw`: take or draw; `lay`: lay or hold; `discard`: which card to discard; `count`: how many points a seat
scores; `who`: who has a card; `salt`: lay a meld, or use it as bait; `late`: lay or hold when another player
may go out soon; `stock`: lay or hold when the stock is nearly used up; `collect`: which card to discard when
another player holds cards of the pile.
"""


class DrillPlace(Struct, forbid_unknown_fields=True):
    """The drill and the number of a question."""

    kind: DrillName
    profile: ProfileName
    """The name of the game's profile."""
    players: Players
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    """The seed of the drill's deals; any number."""
    number: Annotated[int, Meta(ge=1, le=10)]
    """The number of the question, from 1."""


class DrillAsked(DrillPlace):
    """A question about what the rules allow in a drill's position, like the message `ask` at a table."""

    question: PositionQuestion


class DrillAnswer(DrillPlace):
    """An answer: one of the three fields, depending on the drill's kind."""

    play: Annotated[str, Meta(max_length=200)] = ""
    """The code of a legal play, or the play in notation."""
    points: Annotated[int, Meta(ge=-99_999, le=99_999)] = 0
    """For `count`, the points."""
    weights: Annotated[list[Annotated[int, Meta(ge=0, le=100)]], Meta(max_length=8)] = []
    """For `who`, a weight for each holder. Only the ratios of the weights matter, not their sum."""


class CountQuestion(Struct):
    """A finished deal, as one seat sees it: how many points does the seat score?"""

    seat: int
    lines: list[ScoreSheetLine]
    """The cards that the seat laid and holds, without points; a bonus has its points. For `collected`, the
    cards are those left in the other hands.
    """


class WhoQuestion(Struct):
    """A position, and a card that its seat does not see: where is the card?"""

    card: str
    holders: list[int | None]
    """The seats that may have the card; null: the stock."""


class DrillQuestion(Struct):
    """A question as it is shown to the guest."""

    place: DrillPlace
    of: int
    """The number of questions of a drill."""
    position: SeatPosition | None
    """What the seat sees; None for `count`."""
    count: CountQuestion | None
    who: WhoQuestion | None


class DrillResult(Struct):
    """The score of an answer."""

    score: int
    """The score, from 0 to 100."""
    loss: float
    """The loss against the best answer. Plays: in even-score points; `count`: by how many points the answer
    is off; `who`: in bits of log-loss.
    """
    verdict: ReviewVerdict | None
    """For plays, the verdict."""
    points: int | None
    """For `count`, the right answer."""
    lines: list[ScoreSheetLine]
    """For `count`, the lines with their points."""
    chances: list[float]
    """For `who`, the chance of each holder."""
    guessed: list[float]
    """For `who`, the chance that the guess gives to each holder."""
