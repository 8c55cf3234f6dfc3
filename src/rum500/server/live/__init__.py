"""Live tables: one owner task a table, people and bots by the same door, everything in an append-only log.

`Tables` makes and finds them; `LiveTable.connect` and `receive` are what a WebSocket calls.
"""

from rum500.server.live._clock import Alarm, Clock, LoopClock
from rum500.server.live._house import Connection, Farewell, Metrics, Outbox
from rum500.server.live._log import LogError
from rum500.server.live._options import Guest, TableError, TableOptions
from rum500.server.live._state import TableState
from rum500.server.live._table import LiveTable
from rum500.server.live._tables import Tables
from rum500.server.live._thinking import Thinker, Threads
from rum500.server.live._workers import Processes

__all__ = [
    "Alarm",
    "Clock",
    "Connection",
    "Farewell",
    "Guest",
    "LiveTable",
    "LogError",
    "LoopClock",
    "Metrics",
    "Outbox",
    "Processes",
    "TableError",
    "TableOptions",
    "TableState",
    "Tables",
    "Thinker",
    "Threads",
]
