"""Live tables: each has one owner task and an append-only log; people and bots use the same interface.

`TableRegistry` makes and finds tables; WebSockets call `LiveTable.connect` and `LiveTable.receive`.
"""

from rum500.server.live.log_entries import LogError
from rum500.server.live.match_results import TableStanding
from rum500.server.live.services import TableMetrics
from rum500.server.live.table import LiveTable
from rum500.server.live.table_options import Guest, TableOptions
from rum500.server.live.table_registry import TableRegistry
from rum500.server.live.table_state import TableState
from rum500.server.live.time_source import Alarm, LoopTime, TimeSource
from rum500.server.live.viewer import CloseReason, Outbox, Viewer
from rum500.server.thinking.bot_processes import ProcessExecutor
from rum500.server.thinking.executor import BotExecutor, ThreadExecutor

__all__ = [
    "Alarm",
    "BotExecutor",
    "CloseReason",
    "Guest",
    "LiveTable",
    "LogError",
    "LoopTime",
    "Outbox",
    "ProcessExecutor",
    "TableMetrics",
    "TableOptions",
    "TableRegistry",
    "TableStanding",
    "TableState",
    "ThreadExecutor",
    "TimeSource",
    "Viewer",
]
