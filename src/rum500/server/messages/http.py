"""The types of the requests and responses over HTTP.

Everything is JSON; a request with an unknown field is refused. Times are milliseconds since 1970. The OpenAPI
document at `/api/openapi.json` and the page's types are made from this module. `messages` has the messages
over a table's WebSocket.
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
"""A guest's name: 1 to 24 characters after spaces are removed, without control characters."""
TableId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class Failure(Struct, omit_defaults=True):
    """The reason why a request was refused."""

    code: str
    """A stable code."""
    message: str
    """A sentence in English, for logs and developers."""
    retry_s: int | None = None
    """The seconds after which the request may be sent again, if that helps."""
    key: str | None = None
    """The invalid field, if there is one."""
    parts: ReasonParts | None = None
    """The values in the message, as in a [Reason](#reason)."""


class Me(Struct):
    """The guest who sent the request, and the bots of the server."""

    id: str
    name: str
    guest_since: int
    """The time at which the guest was created."""
    levels: list[str]
    """The levels of bots, weakest first."""
    level_usual: str
    """The level that is offered first; the default for a new table."""


class NewName(Struct, forbid_unknown_fields=True):
    """The name that a guest chooses."""

    name: Annotated[str, Meta(max_length=200)]


class HouseRuleInfo(Struct):
    """A house rule that a profile can be played with."""

    id: str
    title: str


class Profile(Struct):
    """A game of the family."""

    name: str
    aliases: list[str]
    """Other names under which the server knows the game."""
    title: str
    summary: str
    """The game in one sentence."""
    source: str
    """The source of its rules."""
    players: list[int]
    """The possible numbers of players."""
    players_usual: int
    """The number of players that is offered first."""
    sides: int
    """2 if two play against two, otherwise 0."""
    target: int
    """The points to reach in a match to a target."""
    match: str
    """`target`: a match is played to a target; `deals`: over a number of deals."""
    deals: int
    """The number of deals in a match over deals."""
    jokers: int
    """The number of jokers in a pack."""
    joker_kind: str
    """`none`, `wild`, or `rank` if jokers are a rank of their own."""
    house_rules: list[HouseRuleInfo]
    """The house rules that can be added."""
    differs: list[str]
    """The ids of the rules that are not as in 500 Rum."""


class RuleSentence(Struct):
    """A rule in a sentence."""

    heading: str
    """The heading under which the rule belongs."""
    id: str
    """The id of the sentence, by which the page translates it."""
    params: dict[str, Any]
    """The values in the sentence."""
    rule: str
    """The id of the rule in the rulebook."""
    text: str
    """The sentence in English."""


class TableSummary(Struct):
    """A table as the lobby lists it."""

    id: str
    created: int
    updated: int
    """The time of the last change."""
    status: Status
    private: bool
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    players: int
    """The number of seats."""
    people: list[str]
    """The names of the people who sit or sat there."""
    seats: list[SeatPlate]
    """The players at the seats."""
    seats_free: int
    clocked: bool
    """Whether the players have clocks."""
    host: str | None
    """The name of the host."""
    mine: bool
    """Whether the guest who sent the request is one of the `people`."""


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be made. An option that is None has the profile's or the server's default."""

    profile: Annotated[str, Meta(min_length=1, max_length=60)]
    """The name of the game."""
    house_rules: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=12)] = []
    """The ids of the house rules to add."""
    players: Annotated[int, Meta(ge=2, le=8)] | None = None
    target: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    """The points to reach, in a match to a target."""
    private: bool = False
    """Whether the lobby does not list the table."""
    turn_s: Annotated[int, Meta(ge=5, le=86_400)] | None = None
    """The seconds for each turn; None: no clocks."""
    bank_s: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    """Each player's additional seconds for the match."""
    claim_s: Annotated[int, Meta(ge=1, le=60)] | None = None
    """The seconds in which "Rummy!" may be called."""
    level: Level | None = None
    """The level of bots for seats that are empty when the match begins, and for absent people."""
    seats_drawn: bool | None = None
    """Whether the seats are drawn by lot when the match begins."""
    leaver_s: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    """The seconds after which a bot plays for an absent person while others wait; 0: never."""
    bots: Annotated[list[Level | None], Meta(max_length=8)] = []
    """By seat, the level of a bot, or None for an empty seat. Seats that are not listed are empty."""
    start: bool = False
    """Whether to begin the match at once, with bots at all empty seats. The guest has the first empty one."""


class NewTableId(Struct):
    """The id of a new table."""

    id: str


class NewBot(Struct, forbid_unknown_fields=True):
    """A seat for an external bot, and the bot's name there."""

    seat: Annotated[int, Meta(ge=0, le=7)]
    name: Annotated[str, Meta(min_length=1, max_length=24)] = "Bot"


class BotToken(Struct):
    """The token of an external bot, which connects to this table with `Authorization: Bearer TOKEN`.

    The server sends it only once. Anyone who has it can play the seat, until it is revoked or another one is
    made.
    """

    seat: int
    token: str


class LentSeat(Struct, forbid_unknown_fields=True):
    """A seat whose token is revoked."""

    seat: Annotated[int, Meta(ge=0, le=7)]


class ShuffleProof(Struct):
    """The inputs and results of a shuffle, for checking it; published when the deal has ended."""

    shuffle: int
    """The number of the shuffle at the table."""
    context: str
    """A text that binds the shuffle to the table and to its number."""
    commitment: str
    """The SHA-256 of the seed."""
    seed: str
    """The server's seed in hexadecimal."""
    seats: list[str]
    """By seat, the seed that it added, in hexadecimal; empty for none."""
    cut: int
    """The number of cards that were lifted."""
    cut_by: str
    """The origin of the cut: `seat`, `middle` or `stream`."""
    pack: list[str]
    """The pack in its canonical order."""
    deck: list[str]
    """The order from which the cards were dealt."""
    restocks: list[list[str]] = []
    """The new stocks of the deal, in order."""


class DrawProof(Struct):
    """The inputs and results of the shuffle for the draw for deal."""

    shuffle: int
    """The number of the shuffle at the table."""
    context: str
    """A text that binds the shuffle to the table and to its number."""
    commitment: str
    """The SHA-256 of the seed."""
    seed: str
    """The server's seed in hexadecimal."""
    seats: list[str]
    """By seat, the seed that it added, in hexadecimal; empty for none."""
    pack: list[str]
    """The pack in its canonical order."""
    drawn: list[tuple[int, str]]
    """The places, counted from 0, and the cards that were drawn."""


class ReplayFrame(Struct, omit_defaults=True):
    """A step of a replay."""

    event: TableEvent | None
    """The event."""
    shared: SnapshotPatch  # type: ignore[valid-type]
    """The changes of the public state."""
    hands: tuple[tuple[str, ...], ...]
    """All hands after the event, by seat."""


class Replay(Struct):
    """A finished deal that can be shown step by step from any seat."""

    table: str
    """The id of the table."""
    deal: int
    """The number of the deal."""
    options: TableInfo
    names: list[str]
    """The names of the players, by seat."""
    draw: DrawProof | None
    """The match's draw for deal; None if there was none."""
    fairness: ShuffleProof | None
    frames: list[ReplayFrame]
    """The steps, in order."""
    sheet: ScoreSheet


class Health(Struct):
    """The state of the server, and this request as the server received it, for finding a proxy's mistakes."""

    status: Literal["ok", "failing"]
    store: str
    """`ok`, or the code of the error that prevents moves from being stored."""
    version: str
    """The version of rum500."""
    scheme: str
    host: str
    """The Host header."""
    client: str | None
    """The client's address."""
    forwarded_proto: str | None
    """The header X-Forwarded-Proto."""
    forwarded_host: str | None
    """The header X-Forwarded-Host."""
    forwarded_for: str | None
    """The header X-Forwarded-For."""
