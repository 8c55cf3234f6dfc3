"""What a browser and the server say to each other over HTTP, typed.

Everything is JSON; a request with a field that is not here is refused. Times are milliseconds since 1970. The
OpenAPI document at `/api/openapi.json` and the page's types are made from this module. The table itself
speaks over its WebSocket, see `messages`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rum500.server.messages import (
    Level,
    ReasonParts,
    ScoreSheet,
    SeatPlate,
    SnapshotPatch,
    TableEvent,
    TableInfo,
)
from rum500.server.messages.base import Status

Name = Annotated[str, Meta(min_length=1, max_length=24)]
"""What a guest is called: 1 to 24 characters after spaces are tidied, none of them a control character."""
TableId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class Failure(Struct, omit_defaults=True):
    """Why a request was refused: a stable code, and a sentence in English for logs and developers.

    `retry_s`: after how many seconds it may be tried again, where that helps. `key`: the field at fault, if
    one is. `parts`: as in a [Reason](#reason).
    """

    code: str
    message: str
    retry_s: int | None = None
    key: str | None = None
    parts: ReasonParts | None = None


class Me(Struct):
    """The guest who asks; `levels` are the levels of bots there are, weakest first.

    `level_usual` is the one offered first, and a new table's where nothing else is said.
    """

    id: str
    name: str
    guest_since: int
    levels: list[str]
    level_usual: str


class NewName(Struct, forbid_unknown_fields=True):
    """A guest's own choice of a name."""

    name: Annotated[str, Meta(max_length=200)]


class HouseRuleInfo(Struct):
    """A house rule that a profile can be played with."""

    id: str
    title: str


class Profile(Struct):
    """A game of the family. `differs` are the ids of its rules that 500 Rum does not have alike.

    `players` are the numbers of players it is for, `players_usual` the one offered first. `match` is `target`
    or `deals`; `joker_kind` is `none`, `wild` or `rank`.
    """

    name: str
    aliases: list[str]
    title: str
    summary: str
    source: str
    players: list[int]
    players_usual: int
    sides: int
    target: int
    match: str
    deals: int
    jokers: int
    joker_kind: str
    house_rules: list[HouseRuleInfo]
    differs: list[str]


class RuleSentence(Struct):
    """A rule: `id` and `params` for the page's words, `rule` its place in the rulebook, `text` English."""

    heading: str
    id: str
    params: dict[str, Any]
    rule: str
    text: str


class TableSummary(Struct):
    """A table as the lobby lists it. `people` are the names of those who sit or sat there, `mine`: the asker
    is one.

    `seats` tell who sits where, as of the table's last change; `host` is the name of who made it.
    """

    id: str
    created: int
    updated: int
    status: Status
    private: bool
    profile: str
    title: str
    players: int
    people: list[str]
    seats: list[SeatPlate]
    seats_free: int
    clocked: bool
    host: str | None
    mine: bool


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be made. What is None is as usual for the profile.

    `bots`: a bot's level, or None, by seat; shorter than the table: the rest is empty. `start`: the asker
    takes the first empty seat, and the match begins if every other seat has its bot (empty ones get one of
    `level`).
    """

    profile: Annotated[str, Meta(min_length=1, max_length=60)]
    house_rules: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=12)] = []
    players: Annotated[int, Meta(ge=2, le=8)] | None = None
    target: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    private: bool = False
    turn_s: Annotated[int, Meta(ge=5, le=86_400)] | None = None
    bank_s: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    claim_s: Annotated[int, Meta(ge=1, le=60)] | None = None
    level: Level | None = None
    seats_drawn: bool | None = None
    leaver_s: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    bots: Annotated[list[Level | None], Meta(max_length=8)] = []
    start: bool = False


class NewTableId(Struct):
    """The table that was made."""

    id: str


class NewBot(Struct, forbid_unknown_fields=True):
    """A seat that is to be played by a bot from outside, and what that bot is called there."""

    seat: Annotated[int, Meta(ge=0, le=7)]
    name: Annotated[str, Meta(min_length=1, max_length=24)] = "Bot"


class BotToken(Struct):
    """The token with which a bot connects to this table, as `Authorization: Bearer TOKEN`, and plays.

    It is told once. Whoever has it plays the seat, until it is taken back or another one is made.
    """

    seat: int
    token: str


class LentSeat(Struct, forbid_unknown_fields=True):
    """A seat whose token is taken back."""

    seat: Annotated[int, Meta(ge=0, le=7)]


class ShuffleProof(Struct):
    """Everything that the order of a deck came from, for checking; it is told once the deal has ended.

    `context` binds it to the table and to the number of the shuffle. `seats`: what each seat added, in
    hexadecimal, empty for none. `pack` is the pack in its canonical order, `cut` where it was cut and
    `cut_by` who or what chose that, `deck` the order that was dealt from, `restocks` the new stocks in order.
    """

    shuffle: int
    context: str
    commitment: str
    seed: str
    seats: list[str]
    cut: int
    cut_by: str
    pack: list[str]
    deck: list[str]
    restocks: list[list[str]] = []


class DrawProof(Struct):
    """The pack that was spread for the draw: what its order came from, and which places and cards were drawn.

    Places count from 0; the rest is as in `ShuffleProof`.
    """

    shuffle: int
    context: str
    commitment: str
    seed: str
    seats: list[str]
    pack: list[str]
    drawn: list[tuple[int, str]]


class ReplayFrame(Struct, omit_defaults=True):
    """A step of a replay: what happened, what changed on the table, and every hand after it."""

    event: TableEvent | None
    shared: SnapshotPatch  # type: ignore[valid-type]
    hands: tuple[tuple[str, ...], ...]


class Replay(Struct):
    """A finished deal, to be stepped through from any seat; `draw` is the match's draw for deal."""

    table: str
    deal: int
    options: TableInfo
    names: list[str]
    draw: DrawProof | None
    fairness: ShuffleProof | None
    frames: list[ReplayFrame]
    sheet: ScoreSheet


class Health(Struct):
    """Whether the server can do its work, and how this request looks to it, which shows a proxy's mistakes.

    `store` is `ok`, or the code of what keeps moves from being kept; `forwarded_...` are the proxy's headers
    as they came.
    """

    status: Literal["ok", "failing"]
    store: str
    version: str
    scheme: str
    host: str
    client: str | None
    forwarded_proto: str | None
    forwarded_host: str | None
    forwarded_for: str | None
