"""External bots: programs in other processes or files, found by name, run, and checked.

>>> from rum500.external_bots import open_bot
>>> open_bot("greedy").name
'greedy'
"""

from rum500.external_bots.bot_check import BotFault, BotReport, check_bot
from rum500.external_bots.bot_errors import (
    BotFailed,
    IllegalBotMove,
    ask_bot,
    current_place,
    error_location,
    legal_code_of,
)
from rum500.external_bots.bot_names import (
    BotSpecError,
    allow_local_imports,
    files_of,
    is_level,
    open_bot,
    split_names,
)
from rum500.external_bots.engine_client import EngineBot, EngineError, end_engines
from rum500.external_bots.engine_server import serve_engine
from rum500.external_bots.learned_bot import LearnedBot, NetworkError, save_network
from rum500.external_bots.template import write_template

__all__ = [
    "BotFailed",
    "BotFault",
    "BotReport",
    "BotSpecError",
    "EngineBot",
    "EngineError",
    "IllegalBotMove",
    "LearnedBot",
    "NetworkError",
    "allow_local_imports",
    "ask_bot",
    "check_bot",
    "current_place",
    "end_engines",
    "error_location",
    "files_of",
    "is_level",
    "legal_code_of",
    "open_bot",
    "save_network",
    "serve_engine",
    "split_names",
    "write_template",
]
