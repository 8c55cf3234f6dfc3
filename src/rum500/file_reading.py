"""Reads files of unknown origin only up to a size, so that no file can fill the memory."""

from __future__ import annotations

import errno
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from rum500.values import PicklableError


class NoTextError(PicklableError, ValueError):
    """Bytes that are not text. `line` is the first line with such bytes, from 1."""

    def __init__(self, line: int, byte: int) -> None:
        """Build the message from the line and the byte's position, both from 1."""
        self.line = line
        super().__init__(f"line {line}: is not UTF-8 text (byte {byte})")


class TooLargeError(OSError):
    """A file or stream that is larger than the limit; `strerror` states the limit.

    Callers catch it and raise their own error.
    """

    strerror: str


def read_file(path: str | PathLike[str], most: int) -> bytes:
    """Return the contents of a file. Raises `OSError`, and `TooLargeError` above `most` bytes.

    Pipes and devices are read too, up to the limit.
    """
    with Path(path).open("rb") as file:
        return read_stream(file, most, str(path))


def read_stream(stream: BinaryIO, most: int, name: str) -> bytes:
    """Return the rest of a stream. Raises `TooLargeError`, with this name, above `most` bytes."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise TooLargeError(errno.EFBIG, f"is larger than {most:,} bytes", name)
    return data


def as_text(data: bytes) -> str:
    """Return bytes as text, with unchanged line ends. Raises `NoTextError` if they are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoTextError(data[: error.start].count(b"\n") + 1, error.start + 1) from None


def read_text(path: str | PathLike[str], most: int) -> str:
    """Return the text of a file. Raises `NoTextError`, `OSError`, and `TooLargeError` above `most` bytes."""
    return as_text(read_file(path, most))
