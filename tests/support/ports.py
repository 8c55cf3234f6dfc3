"""Ports for servers that tests start, end and start again."""

from __future__ import annotations

import random
import socket

_OURS = range(20_000, 32_000)
"""Below those that systems deal out to connections: a server that was down could not have its own back."""


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    for port in random.SystemRandom().sample(_OURS, 100):
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("a hundred ports are in use")
