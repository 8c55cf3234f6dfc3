"""Text files that a command is given: by name, or `-` for standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rum500.cli._errors import UserError, one_line
from rum500.record import Record, RecordError
from rum500.state import Position, PositionError, position_from_text

PositionFile = Annotated[
    str, Parameter(name="FILE", help="A position file; - reads standard input.", allow_leading_hyphen=True)
]
RecordFile = Annotated[
    str, Parameter(name="RECORD", help="A game record; - reads standard input.", allow_leading_hyphen=True)
]
STDIN = "-"


def read_position(file: str) -> Position:
    """The position in a file; `UserError` with all that is wrong with it."""
    try:
        return position_from_text(_read(file))
    except PositionError as error:
        raise UserError(f"{shown(file)}: {one_line(error)}") from None


def read_record(file: str) -> Record:
    """The record in a file; `UserError` where it cannot be read."""
    try:
        return Record.from_text(_read(file))
    except RecordError as error:
        raise UserError(f"{shown(file)}: {one_line(error)}") from None


def shown(file: str) -> str:
    """What a message calls the file."""
    return "standard input" if file == STDIN else file


def _read(file: str) -> str:
    """The text, its line ends as they are."""
    if file.startswith("-") and file != STDIN:
        raise UserError(f"there is no option {file}; a file of that name is written ./{file}")
    try:
        data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise UserError(f"{shown(file)}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UserError(f"{shown(file)}: line {line}: is no UTF-8 text (byte {error.start + 1})") from None
    except ValueError as error:  # a file name that cannot be one
        raise UserError(f"{shown(file)!r}: {error}") from None
