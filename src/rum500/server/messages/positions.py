"""The types of positions over HTTP: a decision as one seat sees it, and the guest's choice."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rum500.server.messages.field_types import Card
from rum500.server.messages.options import TableInfo
from rum500.server.messages.parts import TableEvent
from rum500.server.messages.snapshot import Snapshot, You


class SeatPosition(Struct):
    """A decision as the deciding seat sees it, in the form in which a table is shown."""

    options: TableInfo
    """The game."""
    shared: Snapshot
    """What everybody sees. There are no clocks, and a call of "Rummy!" has no time limit."""
    you: You
    """The hand and the legal plays of the seat."""
    events: list[TableEvent]
    """The public events of the deal; empty if they are not known."""


class PositionQuestion(Struct, forbid_unknown_fields=True):
    """A question about what the rules allow in a position, like the message [ask](#ask) at a table."""

    about: Literal["turn", "cards", "take"]
    """As in [ask](#ask)."""
    cards: Annotated[list[Card], Meta(max_length=108)] = []
    """About `cards`: the cards of the hand."""
    count: Annotated[int, Meta(ge=0, le=108)] = 0
    """About a `take`: the number of cards from the pile."""


class PositionPlay(Struct, forbid_unknown_fields=True):
    """The play that a guest chooses in a position."""

    play: Annotated[str, Meta(min_length=1, max_length=200)]
    """The code of a legal play, or the play in notation, such as `meld 6S 7S 8S`."""
