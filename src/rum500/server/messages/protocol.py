"""All messages of a table's WebSocket: the requests of clients, and the messages of the server.

A class is the only declaration of its message. The decoders below, the handlers in `server/live`, the page's
types and `docs/protocol.md` follow from the subclasses of `Request` and `ServerMessage`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rum500.server.messages.field_types import (
    Card,
    Code,
    HintDepth,
    Id,
    Level,
    Number,
    Reaction,
    Seat,
    Speed,
    WireStruct,
    read_countdown,
)
from rum500.server.messages.hints import HintInfo
from rum500.server.messages.options import TableInfo
from rum500.server.messages.parts import PositionAdvice, Reason, TableEvent
from rum500.server.messages.snapshot import Snapshot, SnapshotPatch, You, YouPatch


class Request(WireStruct, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """A message that gets exactly one answer, whose `re` is the `id` of this message.

    The answer to `join` is `sync`, to `ask` it is `answer`, to `look` and `ping` it is `pong`, and to a
    message that changes the table it is `update`. A request that is not possible gets `refused`.
    """

    limit: ClassVar[str] = ""
    """The name of a rate limit on these messages, in addition to `messages`, which counts every message."""
    limit_by_address: ClassVar[bool] = False
    """Whether that limit also holds for all guests of one address together."""
    strikes: ClassVar[bool] = True
    """Whether a message above this limit is a strike; after several, the connection is closed."""
    from_bots: ClassVar[bool] = False
    """Whether an external bot may send this message. Every bot may send `join`, `ask`, `look` and `ping`."""

    id: Id


class Join(Request, tag="join"):
    """Join the table; the first message of a connection."""

    limit = "joins"
    last: Number = 0
    """The `number` of the last update that this client has received; 0 for none."""


class Sit(Request, tag="sit"):
    """Take an empty seat before the match begins. For one's own seat it has no effect."""

    seat: Seat | None = None
    """The seat; None for the first empty one."""


class AskForSeat(Request, tag="ask_for_seat"):
    """Ask the people at the table for a seat that is one's own: a spectator has lost the cookie.

    Allowed if the seat's `ask_in_ms` is 0. The spectator and those who may answer get the same two words in
    `you.seat_request`. A request without an answer ends after two minutes.
    """

    limit = "seat_requests"
    limit_by_address = True
    strikes = False
    seat: Seat


class StopAsking(Request, tag="stop_asking"):
    """Withdraw one's own open request for a seat."""


class AnswerSeat(Request, tag="answer_seat"):
    """Answer a spectator's request for a seat. The first answer decides.

    Allowed for every person at the table; if the seat's own person is connected again, for that person alone.
    """

    request: Number
    """The `number` of the request."""
    yes: bool
    """Whether to give the seat to the spectator."""


class Stand(Request, tag="stand"):
    """Leave the seat before the match begins."""


class SeatBot(Request, tag="seat_bot"):
    """Give an empty seat (during the match, a vacant one) to a bot, or make a seat empty before the match.

    Only the host may send this.
    """

    seat: Seat
    level: Level | None = None
    """The level of the bot; None makes the seat empty."""


class Start(Request, tag="start"):
    """Begin the match. Only the host may send this. Empty seats get bots of the table's level."""


class Seed(Request, tag="seed"):
    """Add this browser's seed to a shuffle."""

    from_bots = True
    shuffle: Number
    """The number of the shuffle to which the seed is added."""
    value: Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2}){8,32}$")]
    """The seed, 8 to 32 bytes in hexadecimal."""
    cut: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Where this seat cuts, in thousandths of the pack, in case it has to cut; None: the server asks then."""


class Pick(Request, tag="pick"):
    """Choose a card in the draw for deal, or the place of the cut."""

    from_bots = True
    asked: Number
    """As in `play`."""
    position: Number
    """One of `shared.positions`. For a cut, any number between the first and the last of these."""


class Play(Request, tag="play"):
    """Make a play."""

    from_bots = True
    asked: Number
    """The table's `asked` when the player decided. A play for an older decision is refused."""
    play: Code
    """The code of the play."""


class Say(Request, tag="say"):
    """Make a play, written in the notation, such as `meld 6S 7S 8S`."""

    from_bots = True
    asked: Number
    """As in `play`."""
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class Undo(Request, tag="undo"):
    """Take back the last play of the turn, if `you.undo` allows it."""

    from_bots = True
    asked: Number
    """As in `play`."""


class Ask(Request, tag="ask"):
    """Ask for advice from the rules; this changes nothing at the table."""

    about: Literal["turn", "cards", "take", "position", "hint"]
    """`turn`: suggested plays, the hand in groups, and the reasons why other plays are not legal; `cards`:
    possible plays with these cards of the hand, or the reason why there is none; `take`: the result of taking
    `count` cards, or the reason why that is not legal; `position`: everything that this seat may know, for a
    bot; `hint`: the hint that a `hint` message requested for this decision, or a less deep one.
    """
    cards: Annotated[list[Card], Meta(max_length=108)] = []
    """About `cards`: the cards of the hand."""
    count: Annotated[int, Meta(ge=0, le=108)] = 0
    """About a `take`: the number of cards from the pile."""
    depth: HintDepth = "possible"
    """About the `hint`: its depth."""


class Hint(Request, tag="hint"):
    """Request a hint about the decision. Allowed if one person plays with bots and the table allows hints.

    The request is stored in the table's log and shown to all viewers; an `ask` about the `hint` then returns
    the hint itself. A request that is not deeper than a stored one is not stored again.
    """

    asked: Number
    """As in `play`."""
    depth: HintDepth


class Next(Request, tag="next"):
    """Say that this player is ready for the next deal.

    The deal begins when all connected people are ready, or a minute after the first of them is.
    """

    from_bots = True


class Vote(Request, tag="vote"):
    """Agree to something that needs the agreement of all connected people, or withdraw the agreement."""

    on: Literal["pause", "resume", "abandon", "replace", "stand_in", "rematch"]
    """`abandon` also needs the agreement of absent people for whom no bot plays, and so does `pause` if the
    player in turn is here. `resume` needs the agreement of all who agreed to the pause, or of one person who
    still agrees after a minute. `replace` lets a bot play for an absent person who keeps the table waiting
    (`SeatPlate.replace_in_ms`), until that person returns; `stand_in` does so for the present turn only.
    """
    yes: bool = True
    """Whether to agree; false withdraws the agreement."""


class Nudge(Request, tag="nudge"):
    """Ask the server to send a push notification to the browsers of an absent person whom the table awaits.

    Allowed while `nudge_in_ms` of the person's `SeatPlate` is 0.
    """

    limit = "chats"
    strikes = False
    seat: Seat


class WaitForMe(Request, tag="wait_for_me"):
    """Ask the table to wait while this player is away, instead of having a bot play.

    The wait ends when the table has waited for the player for three days. The clock keeps running.
    """

    yes: bool = True
    """Whether to wait; false withdraws the request."""


class SetSpeed(Request, tag="set_speed"):
    """Choose the speed of bots, also for the guest's next table. Allowed if one person plays with bots."""

    speed: Speed


class ToMyTurn(Request, tag="to_my_turn"):
    """Let bots play without pauses until this person has to decide. Allowed if `shared.speed` is not null."""


class Resign(Request, tag="resign"):
    """Give up the match."""


class Chat(Request, tag="chat"):
    """Send a line of chat to the table."""

    limit = "chats"
    strikes = False
    text: Annotated[str, Meta(min_length=1, max_length=300)]


class React(Request, tag="reaction"):
    """Show a reaction."""

    limit = "chats"
    strikes = False
    reaction: Reaction


class Look(Request, tag="look"):
    """Say whether the page is visible. A new connection counts as visible.

    If a table waits for a guest who has no visible page of the table, the server may send a push notification
    to the guest's browsers.
    """

    shown: bool


class Ping(Request, tag="ping"):
    """Test whether the connection works and the table answers."""


# --- the server ---


class ServerMessage(WireStruct, tag_field="type", kw_only=True):
    """A message of the server."""


class Sync(ServerMessage, tag="sync"):
    """The complete table as this viewer may see it; the answer to `join`."""

    re: str
    """The id of the `join`."""
    table: str
    """The id of the table."""
    number: int
    """The number of the last entry in the table's log."""
    gap: bool
    """Whether `missed` contains every event since the `last` of the `join`."""
    missed: list[TableEvent]
    """The events since `last`, or, if `gap` is false, the last events of the current deal."""
    options: TableInfo
    shared: Snapshot
    you: You
    chat: list[ChatLine]
    """The last lines of chat."""


class Update(ServerMessage, tag="update", omit_defaults=True):
    """New events, and the fields that have changed since the last `sync` or `update`."""

    number: int
    """The number of the last entry in the table's log. It does not grow if the change is not in the log, for
    example when somebody joins.
    """
    re: str | None = None
    """The id of this client's message that caused the update; absent if none did."""
    events: list[TableEvent] = []
    """The new events."""
    shared: SnapshotPatch | UnsetType = UNSET  # type: ignore[valid-type]
    """The changed fields of the public state; absent if none changed."""
    you: YouPatch | UnsetType = UNSET  # type: ignore[valid-type]
    """The changed fields of the private state; absent if none changed."""


class Refused(ServerMessage, tag="refused", omit_defaults=True):
    """The answer to a refused message, which has changed nothing."""

    re: str | None
    """The id of the message; None if the message had none."""
    reason: Reason
    column: int | None = None
    """For a play in the notation, the column of the error, counted from 1."""


class Answer(ServerMessage, PositionAdvice, tag="answer", omit_defaults=True):
    """The answer to an `ask`."""

    re: str
    position: str = ""
    """About the `position`: the seat's view as a position file."""
    past: list[str] = []
    """About the `position`: the codes of all plays of the deal as everybody saw them. The first is a discard
    of the upcard."""
    legal: list[str] = []
    """About the `position`: the codes of all legal plays."""
    asked: int = 0
    """About the `position`: the number of the decision that these plays answer."""
    hint: HintInfo | None = None
    """About the `hint`: the hint."""


class ChatLine(ServerMessage, tag="chat"):
    """A line of chat. The sender learns from its own `update` that the line was sent."""

    number: int
    """The number of the line's entry in the table's log. Lines with numbers above the last line read are
    unread.
    """
    seat: int | None
    """The sender's seat; None for a spectator."""
    name: str
    text: str


class ReactionShown(ServerMessage, tag="reaction"):
    """A reaction that a seat shows."""

    seat: int
    reaction: Reaction


class Pong(ServerMessage, tag="pong"):
    """The answer to `look` or `ping`."""

    re: str


class Bye(ServerMessage, tag="bye"):
    """The last message before the server closes the connection."""

    reason: Literal["restart", "elsewhere", "slow", "revoked", "signed_out"]
    """`restart`: the server stops, connect again soon; `elsewhere`: the guest has joined over another
    connection; `slow`: too many messages were unread; `revoked`: the bot's token is no longer valid;
    `signed_out`: the guest has signed out on all devices but one, which may connect again.
    """


CLIENT_MESSAGES = tuple(Request.__subclasses__())
SERVER_MESSAGES = tuple(ServerMessage.__subclasses__())
CLIENT_DECODER: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Union[CLIENT_MESSAGES])  # noqa: UP007
"""Decodes the messages of clients."""
SERVER_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(
    Union[SERVER_MESSAGES],  # noqa: UP007
    dec_hook=read_countdown,
)
"""Decodes the server's messages; countdowns in them do not run."""
