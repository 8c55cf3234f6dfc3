"""The messages of the server."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from rum500.server.messages.base import Emote, WireStruct, read_countdown
from rum500.server.messages.hints import HintInfo
from rum500.server.messages.parts import CardGroup, Reason, SuggestedPlay, TableEvent, TableInfo
from rum500.server.messages.snapshot import Snapshot, SnapshotPatch, You, YouPatch


class ServerMessageBase(WireStruct, tag_field="type", kw_only=True):
    """A message of the server."""


class Sync(ServerMessageBase, tag="sync"):
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
    """The events since then, or, if `gap` is false, the last events of the current deal."""
    options: TableInfo
    shared: Snapshot
    you: You
    chat: list[ChatLine]
    """The last lines of chat."""


class Update(ServerMessageBase, tag="update", omit_defaults=True):
    """New events, and the changes since the last message."""

    number: int
    """The number of the last entry in the table's log. It is the same as before if the change is not in the
    log, for example when somebody joins."""
    re: str | None = None
    """The id of the message of this client that caused the update; absent if there is none."""
    events: list[TableEvent] = []
    """The new events."""
    shared: SnapshotPatch | UnsetType = UNSET  # type: ignore[valid-type]
    """The changed fields of the public state."""
    you: YouPatch | UnsetType = UNSET  # type: ignore[valid-type]
    """The changed fields of the private state."""


class Refused(ServerMessageBase, tag="refused", omit_defaults=True):
    """A refused message; it has changed nothing."""

    re: str | None
    """The id of the message; None if the message has none."""
    reason: Reason
    column: int | None = None
    """For a play in the notation, the column of the error, counted from 1."""


class Answer(ServerMessageBase, tag="answer", omit_defaults=True):
    """The answer to an `ask`."""

    re: str
    options: list[SuggestedPlay] = []
    """Possible plays, best first."""
    groups: list[CardGroup] = []
    """About the `turn`: the hand in groups."""
    reason: Reason | None = None
    """The reason why there are no plays."""
    refused: dict[str, Reason] = {}
    """About the `turn`, if it is this seat's: the reasons why plays are not legal, by name as in `you.may`,
    or by card if only that card may not be discarded. About `cards`: the reasons why they make no `meld` or
    no `lay`."""
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
    """About the `hint`: what it says."""


class ChatLine(ServerMessageBase, tag="chat"):
    """A line of chat."""

    seat: int | None
    """The sender's seat; None for a spectator."""
    name: str
    text: str


class EmoteShown(ServerMessageBase, tag="emote"):
    """An emote that a seat shows."""

    seat: int
    emote: Emote


class Pong(ServerMessageBase, tag="pong"):
    """The answer to `ping`."""

    re: str


class Bye(ServerMessageBase, tag="bye"):
    """The last message before the server closes this connection."""

    reason: Literal["restart", "elsewhere", "slow", "revoked", "signed_out"]
    """`restart`: the server stops, connect again soon; `elsewhere`: the guest has joined with another
    connection; `slow`: too much was unread; `revoked`: the bot's token is no longer valid; `signed_out`: the
    guest has signed out on all devices but one, which may connect again."""


ServerMessage = Sync | Update | Refused | Answer | ChatLine | EmoteShown | Pong | Bye
DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage, dec_hook=read_countdown)
"""Decodes the server's messages; countdowns in them do not run."""
