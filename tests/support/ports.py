"""Ports for servers that tests start, stop and start again."""

from __future__ import annotations

import random
import socket

_OURS = range(20_000, 32_000)
"""Below the ports that systems use for connections, so that a stopped server gets its port back."""


def free_port() -> int:
    """Return a port on which nothing listens at the moment."""
    for port in random.SystemRandom().sample(_OURS, 100):
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("a hundred ports are in use")
