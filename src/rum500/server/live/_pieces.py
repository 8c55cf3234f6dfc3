"""What a table's state is made of: its seats, its deals, the packs that were spread for the draw."""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.record import fair

ROBOT = "bot."
"""What the id of a bot from outside begins with; no guest's has a point in it."""


@dataclass(slots=True)
class Seat:
    """Who sits somewhere: `kind` is `empty`, `person` or `bot`.

    A `robot` is a bot from outside: it plays by the same door as a person, and is told apart from one.
    `owner` is whose seat it plays, if it is anybody's, `lender` who made its token.
    """

    kind: str = "empty"
    guest: str | None = None
    name: str = ""
    level: str | None = None
    robot: bool = False
    owner: str | None = None
    owner_name: str = ""
    lender: str | None = None


@dataclass(slots=True)
class DealLog:
    """A deal as it is replayed: what it began with and its plays; `stocks` by the play that made one."""

    number: int
    players: int
    dealer: int
    totals: tuple[int, ...]
    seating: tuple[int, ...]
    deck: tuple[int, ...]
    shuffle: fair.Shuffle | None
    plays: list[int] = field(default_factory=list)
    stocks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    over: bool = False


@dataclass(slots=True)
class Spread:
    """A pack that was spread for the draw, and what was drawn of it: positions and cards."""

    shuffle: fair.Shuffle
    drawn: list[tuple[int, int]] = field(default_factory=list)
