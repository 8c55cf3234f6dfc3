"""Bots that others have written: how they are named and found, spoken to as engines, begun and checked.

>>> from rum500.external_bots import open_bot
>>> open_bot("greedy").name
'greedy'
"""

from rum500.external_bots.bot_check import Check, Finding, check_bot
from rum500.external_bots.bot_errors import BotFailed, NoPlay, choice_of, line_of, number_of
from rum500.external_bots.engine_client import EngineBot, EngineError, end_engines
from rum500.external_bots.engine_server import serve_engine
from rum500.external_bots.specs import (
    OutsideError,
    files_of,
    is_level,
    look_here,
    open_bot,
    read_options,
    split_names,
)
from rum500.external_bots.template import write_template

__all__ = [
    "BotFailed",
    "Check",
    "EngineBot",
    "EngineError",
    "Finding",
    "NoPlay",
    "OutsideError",
    "check_bot",
    "choice_of",
    "end_engines",
    "files_of",
    "is_level",
    "line_of",
    "look_here",
    "number_of",
    "open_bot",
    "read_options",
    "serve_engine",
    "split_names",
    "write_template",
]
