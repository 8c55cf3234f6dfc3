"""An open connection to a table: the guest at its other end, and what was last sent of the guest's own."""

from __future__ import annotations

from typing import Literal, Protocol

from rum500.server.live.table_options import Guest
from rum500.server.live.you import SPECTATOR
from rum500.server.messages import You

CloseReason = Literal["elsewhere", "restart", "revoked"]


class Outbox(Protocol):
    """Where a viewer's messages go; neither call blocks or raises."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""

    def close(self, reason: CloseReason) -> None:
        """Say why after what is queued, and close."""


class Viewer:
    """A viewer: a guest, at a seat (`player`) or not, and what was sent of the guest's own."""

    __slots__ = ("guest", "joined", "outbox", "player", "you")

    def __init__(self, guest: Guest, outbox: Outbox) -> None:
        """Of this guest."""
        self.guest = guest
        self.outbox = outbox
        self.joined = False
        self.player: int | None = None
        self.you: You = SPECTATOR

    def send(self, message: bytes) -> None:
        """Send an encoded message."""
        self.outbox.send(message)
