"""What the server says."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from rum500.server.messages.base import Emote, WireStruct, read_countdown
from rum500.server.messages.parts import CardGroup, Reason, SuggestedPlay, TableEvent, TableInfo
from rum500.server.messages.snapshot import Snapshot, SnapshotPatch, You, YouPatch


class ServerMessageBase(WireStruct, tag_field="type", kw_only=True):
    """A message of the server."""


class Sync(ServerMessageBase, tag="sync"):
    """The whole table as this viewer may see it, in answer to `join`.

    `missed` are the events since the client's last number where the server still has them all (`gap`
    true), else the latest of the present deal, and the client begins anew. `chat` are the last lines.
    """

    re: str
    table: str
    number: int
    gap: bool
    missed: list[TableEvent]
    options: TableInfo
    shared: Snapshot
    you: You
    chat: list[ChatLine]


class Update(ServerMessageBase, tag="update", omit_defaults=True):
    """What has just happened and what has changed by it.

    `re` is this client's message that brought it about; `number` is that of the last entry in the table's
    log, the same as before where nothing went into the log (somebody came, voted, is being waited for).
    """

    number: int
    re: str | None = None
    events: list[TableEvent] = []
    shared: SnapshotPatch | UnsetType = UNSET  # type: ignore[valid-type]
    you: YouPatch | UnsetType = UNSET  # type: ignore[valid-type]


class Refused(ServerMessageBase, tag="refused", omit_defaults=True):
    """A message that changed nothing, and why."""

    re: str | None
    reason: Reason
    column: int | None = None
    """Of a typed play: where the fault is, from 1."""


class Answer(ServerMessageBase, tag="answer", omit_defaults=True):
    """The answer to an `ask`."""

    re: str
    options: list[SuggestedPlay] = []
    """Possible plays, best first."""
    groups: list[CardGroup] = []
    """About the `turn`: the hand in groups."""
    reason: Reason | None = None
    """Why there are no plays."""
    refused: dict[str, Reason] = {}
    """About the `turn`, if it is one's own: why plays are not open, by name as in `you.may`; by card, why
    that card alone may not be discarded."""
    position: str = ""
    """About the `position`: what the seat sees, as a position file."""
    past: list[str] = []
    """All plays of the deal as everybody saw them, after the upcard as its discard."""
    legal: list[str] = []
    """All that may be played."""
    asked: int = 0
    """The number of the decision that they answer."""


class ChatLine(ServerMessageBase, tag="chat"):
    """A line of chat."""

    seat: int | None
    name: str
    text: str


class EmoteShown(ServerMessageBase, tag="emote"):
    """An emote that a seat shows."""

    seat: int
    emote: Emote


class Pong(ServerMessageBase, tag="pong"):
    """The server is there."""

    re: str


class Bye(ServerMessageBase, tag="bye"):
    """The server closes this connection.

    `restart`: come back soon; `elsewhere`: joined in another window; `slow`: too much lay unread; `revoked`:
    the bot's token holds no longer.
    """

    reason: Literal["restart", "elsewhere", "slow", "revoked"]


ServerMessage = Sync | Update | Refused | Answer | ChatLine | EmoteShown | Pong | Bye
DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage, dec_hook=read_countdown)
"""Reads what the server sends; times that run stand at what was left."""
