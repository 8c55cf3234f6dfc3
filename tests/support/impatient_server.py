"""A server at which a seat may be requested at once, not only half a minute after its person left.

The request stays open for an hour, so that its end does not depend on the speed of a test.
"""

from __future__ import annotations

from tests.support.live_server import LiveServer

_PROGRAM = """
from rum500.cli import main
from rum500.server.live.turn import seat_requests

seat_requests.AWAY_S, seat_requests.OPEN_S = 0.0, 3600.0
raise SystemExit(main())
"""


class ImpatientServer(LiveServer):
    """A server in a process of its own."""

    program = ("-c", _PROGRAM)
