"""An open connection to a table: its guest, and what the guest was sent last."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from rum500.server.live.log.table_options import Guest
from rum500.server.messages import Snapshot, You
from rum500.server.work_scheduler import Asker

SPECTATOR = You()
"""The private state of a viewer without a seat: it is empty."""

CloseReason = Literal["elsewhere", "restart", "revoked"]


class Outbox(Protocol):
    """The output for a viewer's messages. Neither method blocks or raises."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""

    def close(self, reason: CloseReason) -> None:
        """Send the reason after the queued messages, and close."""


class Sent(Struct, frozen=True, eq=False):
    """The public state that viewers were sent. Those with the same object are sent the same changes next."""

    snapshot: Snapshot
    number: int
    """The number of the last log entry."""
    deciding: frozenset[int]
    """The players who had to decide."""


class Viewer:
    """A guest's open connection."""

    __slots__ = (
        "address", "guest", "joined", "outbox", "player", "sent", "silent", "trace", "viewing", "who", "you",
    )  # fmt: skip

    def __init__(self, guest: Guest, outbox: Outbox, address: str = "") -> None:
        """Begin as a spectator who has not joined, and whose moves are not traced."""
        self.guest = guest
        self.outbox = outbox
        self.address = address
        """What stands for the address that the guest comes from."""
        self.who = Asker.of(guest.id)
        """Whose share of the processor time the connection's requests use."""
        self.trace = ""
        """The trace in which the moves are logged; an empty text if they are not."""
        self.joined = False
        """Whether the guest has joined, and is sent updates."""
        self.viewing = True
        """Whether the page shows the table; false while it is hidden."""
        self.silent = False
        """Whether the connection has answered nothing for seconds, so that the guest may be gone."""
        self.player: int | None = None
        """The guest's number as a player of the table; None: a spectator."""
        self.sent: Sent | None = None
        """The public state that this viewer was sent last; None before the first."""
        self.you: You = SPECTATOR
        """The private state that this viewer was sent last."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""
        self.outbox.send(message)
