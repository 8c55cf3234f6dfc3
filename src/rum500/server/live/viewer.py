"""An open connection to a table: its guest, and the private state that the guest was sent last."""

from __future__ import annotations

from typing import Literal, Protocol

from rum500.server.live.table_options import Guest
from rum500.server.live.you import SPECTATOR
from rum500.server.messages import You

CloseReason = Literal["elsewhere", "restart", "revoked"]


class Outbox(Protocol):
    """The output for a viewer's messages. Neither method blocks or raises."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""

    def close(self, reason: CloseReason) -> None:
        """Send the reason after the queued messages, and close."""


class Viewer:
    """A guest's open connection."""

    __slots__ = ("guest", "joined", "outbox", "player", "you")

    def __init__(self, guest: Guest, outbox: Outbox) -> None:
        """Begin as a spectator who has not joined."""
        self.guest = guest
        self.outbox = outbox
        self.joined = False
        """Whether the guest has joined, and is sent updates."""
        self.player: int | None = None
        """The guest's number as a player of the table; None: a spectator."""
        self.you: You = SPECTATOR
        """The private state that this viewer was sent last."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""
        self.outbox.send(message)
