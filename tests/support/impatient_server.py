"""A server at which a seat may be asked for at once, instead of half a minute after its person left."""

from __future__ import annotations

from tests.support.live_server import LiveServer

_PROGRAM = """
from rum500.cli import main
from rum500.server.live.turn import seat_requests

seat_requests.AWAY_S = 0.0
raise SystemExit(main())
"""


class ImpatientServer(LiveServer):
    """A server in a process of its own."""

    program = ("-c", _PROGRAM)
