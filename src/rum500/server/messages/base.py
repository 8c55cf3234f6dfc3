"""What messages are made of: their base, and the kinds of words and numbers in them."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Id = Annotated[str, Meta(min_length=1, max_length=40)]
"""A client's own name for a message; the same one again does nothing more and is answered alike."""
Card = Annotated[str, Meta(min_length=2, max_length=4)]
Seat = Annotated[int, Meta(ge=0, le=7)]
Number = Annotated[int, Meta(ge=0)]
Code = Annotated[str, Meta(pattern=r"^[0-9]{1,20}$")]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
Emote = Literal["well-played", "thanks", "hello", "oops", "wow", "hurry", "good-luck", "laugh"]
Status = Literal["open", "playing", "paused", "over", "abandoned"]
SeatKind = Literal["empty", "person", "bot"]
WaitingFor = Literal["seats", "draw", "shuffle", "cut", "play", "claim", "next", "over"]
DealPhase = Literal["draw", "use", "play", "claim", "over"]
PlayName = Literal["draw", "take", "call", "let_go", "pass", "end", "lay", "discard"]


class WireStruct(Struct, gc=False):
    """The base of all parts of messages: none can hold itself, so the collector of cycles need not look."""


class Countdown:
    """A time that runs out at the moment `end`, of which at most `ms` milliseconds are shown.

    It stands at `ms` where `end` is None. Two are equal where they have the same cause, whenever they are
    looked at. On the wire it is the milliseconds that are left.
    """

    __slots__ = ("end", "ms")

    def __init__(self, ms: int = sys.maxsize, end: float | None = None) -> None:
        """`end` is in the server's own seconds."""
        self.ms = ms
        self.end = end

    def left(self, now: float) -> int:
        """Return the milliseconds that are left at the moment `now`, at least 0."""
        return self.ms if self.end is None else min(self.ms, max(0, round((self.end - now) * 1000)))

    def __eq__(self, other: object) -> bool:
        """Whether both stand at the same time, or run out at the same moment."""
        return isinstance(other, Countdown) and (self.ms, self.end) == (other.ms, other.end)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Countdown({self.ms}, {self.end})"


def read_countdown(kind: type, value: Any) -> Countdown:
    """Read a time that is left, standing still: the `dec_hook` of those who read the server's messages."""
    assert kind is Countdown
    return Countdown(value)


def countdown_schema(kind: type) -> dict[str, str]:
    """Return the JSON Schema of a `Countdown`: the `schema_hook` of those who describe messages."""
    assert kind is Countdown
    return {"type": "integer"}


def patch_of(struct: type[Struct]) -> type[Any]:
    """Return the struct of changes to a `struct`: the same fields, each of which may be left out."""
    fields: list[tuple[str, Any, Any]] = [
        (field.name, field.type | UnsetType, UNSET) for field in msgspec.structs.fields(struct)
    ]
    patch = msgspec.defstruct(
        f"{struct.__name__}Patch", fields, bases=(WireStruct,), module=struct.__module__, omit_defaults=True
    )
    patch.__doc__ = f"Those fields of `{struct.__name__}` that have changed, all else left out."
    return patch
