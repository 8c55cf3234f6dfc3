"""The log on standard error: one line for each event, with named values.

The values never contain a hand, a deck or a card. Of an exception only the type and the place where it was
raised are logged, because its message might quote a play. Of other libraries' entries only the fixed text is
logged, because the arguments might quote one too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO, cast

import structlog

from rum500.server.config import Config

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_FRAMES = 12
_SHOWN_OF_ID = 8


def start_log(config: Config, out: TextIO | None = None) -> None:
    """Configure the log, which includes warnings of other libraries."""
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
            _add_exception_text,
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


@contextlib.contextmanager
def uncaught_logged() -> Iterator[None]:
    """Log what Python would otherwise print as plain text: errors in threads and finalizers, and warnings."""
    threads, finalizers = threading.excepthook, sys.unraisablehook
    threading.excepthook = lambda args: log().error("thread.failed", error=args.exc_value)
    sys.unraisablehook = lambda args: log().error("finalizer.failed", error=args.exc_value)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = threads, finalizers
        logging.captureWarnings(False)


def log() -> Any:
    """Return the log. It is used like this: `log().info("table.created", table=shown(id))`."""
    return structlog.get_logger()


def shown(table: str) -> str:
    """Return the beginning of a table's id: with the whole id, readers of the log could join the table."""
    return f"{table[:_SHOWN_OF_ID]}…"


def where_raised(error: BaseException) -> list[str]:
    """Return the last places in an exception's traceback, without its message."""
    places: list[str] = []
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        file = Path(code.co_filename)
        places.append(f"{file.parent.name}/{file.name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places[-_FRAMES:]


def on_loop_error(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log an error in a callback or in a task that nobody awaits; for `loop.set_exception_handler`."""
    message = str(context.get("message", "")).partition(" in callback")[0].partition("\n")[0]
    log().error("loop.error", what=message, error=context.get("exception"))


def _add_exception_text(
    _logger: object, _name: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace `error=exception` by the exception's type, its code and the place where it was raised."""
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
    """The output of the log. It ignores errors, such as a closed pipe or a full disk."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> None:
        """Write the text; ignore errors."""
        with contextlib.suppress(OSError, ValueError):
            self._out.write(text)

    def flush(self) -> None:
        """Flush the stream; ignore errors."""
        with contextlib.suppress(OSError, ValueError):
            self._out.flush()


class _Forward(logging.Handler):
    """Forwards the entries of other libraries to the log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the entry's fixed text, and its exception."""
        error = record.exc_info[1] if record.exc_info else None
        text = str(record.msg).strip().partition("\n")[0]
        log().log(record.levelno, record.name, text=text, error=error)
