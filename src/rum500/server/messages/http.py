"""The types of the requests and responses over HTTP.

Everything is JSON; a request with an unknown field is refused. Times are milliseconds since 1970. The OpenAPI
document at `/api/openapi.json` and the page's types are generated from this module. `protocol` has the
messages over a table's WebSocket.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rum500.server.messages import (
    OpenedShuffle,
    Reason,
    ReasonParts,
    ScoreSheet,
    SeatPlate,
    ShuffleInputs,
    SnapshotPatch,
    TableEvent,
    TableInfo,
)
from rum500.server.messages.field_types import Seat, Status
from rum500.server.messages.guest_names import LONGEST_NAME
from rum500.server.messages.review import HistoryReview, PlaySum
from rum500.store.rows import GameFigures, MatchSummary, TableListing

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
    named: bool
    """Whether the guest has chosen the name; otherwise it follows from the id."""
    guest_since: int
    """The time at which the guest was created."""
    levels: list[str]
    """The levels of bots, weakest first."""
    level_usual: str
    """The default of a new table; the page proposes `next` of `GET /api/levels/{profile}` instead."""


class LevelInfo(Struct):
    """A level of bots in a game."""

    name: str
    number: int | None
    """The number of the level, from 1; None for levels that have names, and for bots of this server."""
    also: str | None
    """The level with a name that plays alike in this game, if there is one."""
    position: float | None
    """Its strength: 0 plays at random, 1 like a newcomer, 2 like `club`, 3 like `expert`; 1.7 makes seven of
    ten choices like `club` and the others like a newcomer. None if the bot is not a mixture of these.
    """


class NextOpponent(Struct):
    """The level of bots that the page proposes to the guest."""

    level: str
    why: Literal["first", "up", "same", "down", "top"]
    """`first`: no matches count yet; `up` or `down`: the level after or before that of the latest match;
    `same`: that level again; `top`: that level, and there is none after it.
    """
    against: str | None
    """The level of the latest match that counts; None for `first`."""
    won: int
    """The number of the latest matches against `against` that the guest won."""
    played: int
    """The number of these matches, 10 at most."""


class LevelList(Struct):
    """The levels of bots in a game with a number of players, and the next opponent for the guest."""

    levels: list[LevelInfo]
    """Levels with numbers, weakest first; then levels with names, weakest first; then bots of this server."""
    next: NextOpponent


class NewName(Struct, forbid_unknown_fields=True):
    """The name that a guest chooses."""

    name: Annotated[str, Meta(max_length=200)]
    """1 to 24 visible characters, without spaces at the ends, in the Unicode form NFKC; no characters such as
    # or |, at most two marks on a letter.
    """


class SignOut(Struct, forbid_unknown_fields=True):
    """The devices on which the guest is signed out."""

    devices: Literal["others"]
    """`others`: all devices except the one that sends the request."""


class HouseRuleInfo(Struct):
    """A house rule that can be added to a profile."""

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
    """The letter of the source of the game's rules."""
    players: list[int]
    """The possible numbers of players."""
    players_usual: int
    """The number of players that the page suggests."""
    sides: int
    """2 if two play against two, otherwise 0."""
    target: int
    """The points to reach in a match to a target."""
    match: str
    """`target`: a match is played to a target; `deals`: over a number of deals."""
    deals: int
    """The number of deals in a match of a fixed number of deals."""
    jokers: int
    """The number of jokers in a pack."""
    joker_kind: str
    """`none`, `wild`, or `rank` if jokers are a rank of their own."""
    house_rules: list[HouseRuleInfo]
    """The house rules that can be added."""
    differs: list[str]
    """The ids of the rules that differ from those of 500 Rum."""


class RuleChoice(Struct):
    """A house rule or variation that can be added to a game."""

    id: str
    """The id of the house rule, or the name of the variation."""
    kind: Literal["house", "variation"]
    title: str
    """The rule in a sentence."""
    source: str
    """The letter of the source that names the choice."""
    refused: Reason | None
    """The reason why it does not fit the choices so far, or cannot stay chosen; None if it fits."""


class TableSummary(TableListing, frozen=True, kw_only=True):
    """A table as the lobby lists it."""

    status: Status
    house_rules: list[str]
    """The ids of the house rules."""
    variations: list[str]
    """The names of the variations."""
    target: int | None
    """The chosen points to reach; None for the game's own."""
    deals: int | None
    """The chosen number of deals; None for the game's own."""
    turn_s: int | None
    """The seconds for each turn; None: no clocks."""
    people: list[str]
    """The names of the people who have or had a seat."""
    seats: list[SeatPlate]
    """The players at the seats."""
    mine: bool
    """Whether the guest who sent the request is one of the `people`."""


class MyTable(Struct):
    """An unfinished table of the guest who sent the request."""

    table: TableSummary
    my_turn: bool
    """Whether the match waits for this guest."""
    asked: int
    """The time at which the present decision began."""
    due: int | None
    """By a clock of days, the time at which the match continues without the guests it waits for; None if
    there is no such time.
    """
    deal: int
    """The number of the deal in progress; 0 before the first."""
    seat: int | None
    """The guest's seat; None for a player who resigned."""
    names: list[str]
    """The names of the players by seat, as they sit now."""
    scores: list[int]
    """The totals of the match, by side if there are sides, else by seat; empty before the match."""
    alone: bool
    """Whether no other person has a seat, so that the guest may end the match."""
    put_away: bool
    """Whether the guest has put the table away, so that the list leaves it out."""


class PutAway(Struct, forbid_unknown_fields=True):
    """Whether the guest's list of tables leaves out a table."""

    away: bool
    """True puts the table away; false takes that back."""


class EndAlone(Struct, forbid_unknown_fields=True):
    """A request to end a match in which only bots play beside the guest."""


class HistoryRow(MatchSummary, frozen=True, kw_only=True):
    """The result of an ended match for the guest."""

    status: Literal["over", "abandoned"]
    table: str
    """The id of the table."""
    hints: int
    """The number of decisions for which the guest was given a hint."""
    review: HistoryReview
    """The results of the guest in the reviews of the match's deals."""


class History(Struct):
    """The ended matches of the guest, latest first, and their totals."""

    rows: list[HistoryRow]
    total: int
    """The number of rows without `skip` and `limit`."""
    games: list[GameFigures]
    """The totals by game, whatever the filters; the most often played game first."""
    play: PlaySum | None
    """The totals of the reviews, whatever the filters; None with fewer than ten reviewed deals."""


class HistoryTable(Struct, forbid_unknown_fields=True):
    """The table of a match that is to be removed from the guest's history."""

    table: TableId


class TryAgain(Struct, forbid_unknown_fields=True):
    """A decision of a finished deal, from which a new table plays on."""

    frame: Annotated[int, Meta(ge=0, le=9999)]
    """The frame before the decision, in the deal's replay."""
    redealt: bool = False
    """Whether the cards that the deciding seat could not see are dealt again."""


class NewTableId(Struct):
    """The id of a new table."""

    id: str


class NewBot(Struct, forbid_unknown_fields=True):
    """A seat for an external bot, and the name that the bot gets."""

    seat: Seat
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] = "Bot"
    """A name as in [NewName](#newname)."""


class BotToken(Struct):
    """The token of an external bot, which connects to this table with `Authorization: Bearer TOKEN`.

    The server sends it only once. Anyone who has it can play the seat, until it is revoked or another one is
    made.
    """

    seat: int
    token: str


class LentSeat(Struct, forbid_unknown_fields=True):
    """A seat whose token is to be revoked."""

    seat: Seat


class ShuffleProof(OpenedShuffle):
    """The inputs and results of a shuffle, for checking it; published when the deal has ended."""

    pack: list[str]
    """The pack in canonical order."""
    deck: list[str]
    """The order from which the cards were dealt."""
    restocks: list[list[str]] = []
    """The new stocks of the deal, in order."""


class DrawProof(ShuffleInputs):
    """The inputs and results of the shuffle for the draw for deal."""

    pack: list[str]
    """The pack in canonical order."""
    drawn: list[tuple[int, str]]
    """The positions of the drawn cards, from 0, and the cards."""


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
    """The state of the server, and this request as the server received it.

    The fields from `scheme` on help to find mistakes in the configuration of a proxy.
    """

    status: Literal["ok", "draining", "failing"]
    """`draining`: the server is releasing its tables to other servers, and should get no new visitors."""
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
    host_allowed: bool = True
    """Whether the server answers for this host."""


class Notices(Struct):
    """The key with which a browser subscribes to push notifications that a table waits for its guest."""

    key: str | None
    """The server's public key in base64url, the `applicationServerKey` of the Push API; None if the operator
    has turned push notifications off.
    """


class BrowserEndpoint(Struct, forbid_unknown_fields=True):
    """The address of a browser at its push service."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
