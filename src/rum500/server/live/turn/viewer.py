"""An open connection to a table: the guest, and the state that was last sent to the guest."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from rum500.server.live.log.table_options import Guest
from rum500.server.messages import Snapshot, You
from rum500.server.work_scheduler import Asker

SPECTATOR = You()
"""The private state of a viewer without a seat, which is empty."""

CloseReason = Literal["elsewhere", "restart", "revoked"]


class Outbox(Protocol):
    """The outgoing side of a viewer's connection. Neither method blocks or raises."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""

    def close(self, reason: CloseReason) -> None:
        """Send the reason after the queued messages, then close the connection."""


class Sent(Struct, frozen=True, eq=False):
    """The public state that was sent to viewers. Viewers with the same object get the same changes next."""

    snapshot: Snapshot
    number: int
    """The number of the last log entry."""
    deciding: frozenset[int]
    """The players who had to decide then."""


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
        """Identifies the network address of the guest."""
        self.who = Asker.of(guest.id)
        """The asker whose share of the processor time the connection's requests use."""
        self.trace = ""
        """The trace in which moves are logged; empty if they are not traced."""
        self.joined = False
        """Whether the guest has joined and gets updates."""
        self.viewing = True
        """Whether the page is visible."""
        self.silent = False
        """Whether the connection has been silent for seconds, so that the guest may be gone."""
        self.player: int | None = None
        """The guest's number as a player; None for a spectator."""
        self.sent: Sent | None = None
        """The public state that was last sent; None before the first."""
        self.you: You = SPECTATOR
        """The private state that was last sent."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""
        self.outbox.send(message)
