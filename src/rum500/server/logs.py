"""The log: one line an event, with named values, to standard error.

No hand, deck or card is ever among the values. An exception is told by its type and by where it was raised:
its message might quote a play, and so might the arguments of other libraries' entries, of which only the
fixed text is taken.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO, cast

import structlog

from rum500.server.config import Config

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_FRAMES = 12
_SHOWN_OF_ID = 8


def start_log(config: Config, out: TextIO | None = None) -> None:
    """Log as configured; other libraries' warnings come along."""
    least = _LEVELS[config.log_level]
    last = (
        structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=False)
        if config.log == "json"
        else structlog.processors.LogfmtRenderer(
            key_order=("timestamp", "level", "event"), bool_as_flag=False
        )
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _exception_told,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", _Stream(out or sys.stderr))),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [_Forward(logging.WARNING)]
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "sqlalchemy", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)


def log() -> Any:
    """The log: `log().info("table.created", table=shown(id))`."""
    return structlog.get_logger()


def shown(table: str) -> str:
    """As much of a table's id as tells it from others: the whole would let a reader of the log in."""
    return f"{table[:_SHOWN_OF_ID]}…"


def where_raised(error: BaseException) -> list[str]:
    """The last places that an exception came through, without what it said."""
    places: list[str] = []
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        file = Path(code.co_filename)
        places.append(f"{file.parent.name}/{file.name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places[-_FRAMES:]


def on_loop_error(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """What nobody awaited: for `loop.set_exception_handler`."""
    message = str(context.get("message", "")).partition(" in callback")[0].partition("\n")[0]
    log().error("loop.error", what=message, error=context.get("exception"))


def _exception_told(_logger: object, _name: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """`error=exception` becomes its type and where it was raised."""
    found = entry.pop("error", None)
    if isinstance(found, BaseException):
        entry["error"] = type(found).__name__
        code = getattr(found, "code", None)
        if isinstance(code, str):
            entry["code"] = code
        entry["where"] = " < ".join(reversed(where_raised(found)))
    elif found is not None:
        entry["error"] = found
    return entry


class _Stream:
    """Where the log goes; that nobody reads it any more, or its disk is full, hinders nothing."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> None:
        """Write, if it can be."""
        with contextlib.suppress(OSError, ValueError):
            self._out.write(text)

    def flush(self) -> None:
        """Let it be seen, if it can be."""
        with contextlib.suppress(OSError, ValueError):
            self._out.flush()


class _Forward(logging.Handler):
    """Takes the entries of other libraries."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the entry's fixed text, and its exception."""
        error = record.exc_info[1] if record.exc_info else None
        text = str(record.msg).strip().partition("\n")[0]
        log().log(record.levelno, record.name, text=text, error=error)
