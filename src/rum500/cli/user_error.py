"""Errors of commands: one line on stderr, and an exit code."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

BAD_INPUT = 2
"""The exit code for invalid input; 1 is a negative result, 0 is success."""
INTERRUPTED = 130
"""The exit code after Ctrl-C if nothing could be saved."""

_BREAK = re.compile(r"\s*\n\s*")


class UserError(Exception):
    """Invalid input; the message states what is wrong, where, and what is valid."""


def one_line(message: object) -> str:
    """Return a message without line breaks, so that it cannot look like two errors."""
    return _BREAK.sub(" ", str(message)).strip()


def nearest(asked: str, known: Iterable[str]) -> str:
    """Return a hint with the known names that resemble `asked` most; empty if none does.

    >>> nearest("greddy", ["random", "greedy"])
    'did you mean greedy? '
    """
    near = difflib.get_close_matches(asked.casefold(), list(known), n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}? " if near else ""
