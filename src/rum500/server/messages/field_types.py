"""The base of all messages, and the types of their texts and numbers."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType

Id = Annotated[str, Meta(min_length=1, max_length=40)]
"""The id that a client gives a message. A second message with the same id is answered but has no effect."""
Card = Annotated[str, Meta(min_length=2, max_length=4)]
Seat = Annotated[int, Meta(ge=0, le=7)]
Number = Annotated[int, Meta(ge=0)]
Code = Annotated[str, Meta(pattern=r"^[0-9]{1,20}$")]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
ProfileName = Annotated[str, Meta(min_length=1, max_length=60)]
Players = Annotated[int, Meta(ge=2, le=8)]
Target = Annotated[int, Meta(ge=1, le=100_000)]
Deals = Annotated[int, Meta(ge=1, le=1000)]
DealNumber = Annotated[int, Meta(ge=1, le=9999)]
PROTOCOL = "rum500.v1"
"""The subprotocol of a table's WebSocket."""
Reaction = Literal["well-played", "thanks", "hello", "oops", "wow", "hurry", "good-luck", "laugh"]
Status = Literal["open", "playing", "paused", "over", "abandoned"]
SeatKind = Literal["empty", "person", "bot"]
WaitingFor = Literal["seats", "draw", "shuffle", "cut", "play", "claim", "next", "over"]
DealPhase = Literal["draw", "use", "play", "claim", "over"]
PlayName = Literal["draw", "take", "call", "let_go", "pass", "end", "lay", "discard"]
HintDepth = Literal["possible", "reason", "numbers"]
"""How much a hint says: the plays without judgement; the coach's advice and why; how good the plays are."""
HintLimit = Literal["none", "possible", "reason", "numbers"]
"""The deepest hint that a table allows."""
HINT_LIMITS: tuple[HintLimit, ...] = get_args(HintLimit)
"""The limits of hints; each limit allows the hints of all limits before it, and one depth more."""


SeatRequestOutcome = Literal["refused", "unanswered", "withdrawn"]
"""How a request for a seat ended without giving the seat to the guest."""
Speed = Literal["relaxed", "normal", "fast", "at_once"]
"""How fast bots play for one person: a bot's turn takes 2.4, 1.2 or 0.4 seconds, or no time."""


class WireStruct(Struct, gc=False):
    """The base of all parts of messages. They form no cycles, so the garbage collector ignores them."""


class Countdown:
    """A time that runs out at the moment `end`; at most `ms` milliseconds of it are shown.

    If `end` is None, the time does not run and `ms` are left. Two countdowns are equal if their fields are,
    whatever the present time. In JSON a countdown is the number of milliseconds left.
    """

    __slots__ = ("end", "ms")

    def __init__(self, ms: int = sys.maxsize, end: float | None = None) -> None:
        """Set the fields; `end` is in seconds of the table's clock."""
        self.ms = ms
        self.end = end

    def left(self, now: float) -> int:
        """Return the milliseconds that are left at the moment `now`, at least 0."""
        return self.ms if self.end is None else min(self.ms, max(0, round((self.end - now) * 1000)))

    def __eq__(self, other: object) -> bool:
        """Return whether two countdowns have the same `ms` and `end`."""
        return isinstance(other, Countdown) and (self.ms, self.end) == (other.ms, other.end)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Countdown({self.ms}, {self.end})"


def read_countdown(kind: type, value: Any) -> Countdown:
    """Return a stopped countdown of these milliseconds. This is the `dec_hook` of `SERVER_DECODER`."""
    assert kind is Countdown
    return Countdown(value)


def countdown_schema(kind: type) -> dict[str, str]:
    """Return the JSON Schema of a `Countdown`. This is the `schema_hook` for schemas of messages."""
    assert kind is Countdown
    return {"type": "integer"}


def patch_of(struct: type[Struct]) -> type[Any]:
    """Return a struct type for changes to a `struct`: the same fields, each of which may be absent."""
    fields: list[tuple[str, Any, Any]] = [
        (field.name, field.type | UnsetType, UNSET) for field in msgspec.structs.fields(struct)
    ]
    patch = msgspec.defstruct(
        f"{struct.__name__}Patch",
        fields,
        bases=(WireStruct,),
        module=struct.__module__,
        namespace={"derived_from": struct},
        omit_defaults=True,
    )
    patch.__doc__ = f"Those fields of `{struct.__name__}` that have changed, all else left out."
    return patch


def optional_of(struct: type[Struct], base: type[Struct], name: str) -> type[Any]:
    """Return a struct type with the fields of `base` and `struct`.

    Fields of `struct` that have a default may also be None.
    """
    fields: list[tuple[str, Any, Any] | tuple[str, Any]] = [
        (field.name, field.type)
        if field.required
        else (field.name, field.type | None, field.default)
        if field.default is not NODEFAULT
        else (field.name, field.type, msgspec.field(default_factory=field.default_factory))
        for field in msgspec.structs.fields(struct)
    ]
    return msgspec.defstruct(
        name,
        fields,
        bases=(base,),
        module=struct.__module__,
        kw_only=True,
        namespace={"derived_from": struct},
    )
