"""Live tables: one owner task a table, people and bots by the same door, everything in an append-only log.

`Tables` makes and finds them; `LiveTable.connect` and `receive` are what a WebSocket calls.
"""

from rum500.server.live.log_entries import LogError
from rum500.server.live.services import Connection, Farewell, Metrics, Outbox
from rum500.server.live.table import LiveTable
from rum500.server.live.table_options import Guest, TableOptions
from rum500.server.live.table_registry import Tables
from rum500.server.live.table_state import TableState
from rum500.server.live.time_source import Alarm, Clock, LoopClock
from rum500.server.thinking.bot_processes import Processes
from rum500.server.thinking.executor import Thinker, Threads

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
    "TableOptions",
    "TableState",
    "Tables",
    "Thinker",
    "Threads",
]
