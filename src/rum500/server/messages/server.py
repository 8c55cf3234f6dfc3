"""What the server says."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from rum500.server.messages.base import Emote, Plain
from rum500.server.messages.parts import CardGroup, Own, Reason, Shared, SuggestedPlay, TableEvent, TableInfo


class Said(Plain, tag_field="type", kw_only=True):
    """A message of the server."""


class Sync(Said, tag="sync"):
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
    shared: Shared
    you: Own
    chat: list[Chatted]


class Update(Said, tag="update", omit_defaults=True):
    """What has just happened and what has changed by it.

    `re` is this client's message that brought it about; `number` is that of the last entry in the table's
    log, the same as before where nothing went into the log (somebody came, voted, is being waited for).
    """

    number: int
    re: str | None = None
    events: list[TableEvent] = []
    shared: Shared | UnsetType = UNSET
    you: Own | UnsetType = UNSET


class Refused(Said, tag="refused", omit_defaults=True):
    """A message that changed nothing, and why."""

    re: str | None
    reason: Reason
    column: int | None = None
    """Of a typed play: where the fault is, from 1."""


class Answer(Said, tag="answer", omit_defaults=True):
    """The answer to an `ask`: possible plays, best first; the hand in groups; why there are none.

    About a `position`: what the seat sees, as a position file; the `past`, all plays of the deal as everybody
    saw them, after the upcard as its discard; and `legal`, all that may be played. `asked` goes with it.
    """

    re: str
    options: list[SuggestedPlay] = []
    groups: list[CardGroup] = []
    reason: Reason | None = None
    position: str = ""
    past: list[str] = []
    legal: list[str] = []
    asked: int = 0


class Chatted(Said, tag="chat"):
    """A line of chat."""

    seat: int | None
    name: str
    text: str


class Emoted(Said, tag="emote"):
    """An emote that a seat shows."""

    seat: int
    emote: Emote


class Pong(Said, tag="pong"):
    """The server is there."""

    re: str


class Bye(Said, tag="bye"):
    """The server closes this connection.

    `restart`: come back soon; `elsewhere`: joined in another window; `slow`: too much lay unread; `revoked`:
    the bot's token holds no longer.
    """

    reason: Literal["restart", "elsewhere", "slow", "revoked"]


ServerMessage = Sync | Update | Refused | Answer | Chatted | Emoted | Pong | Bye
