"""What a command says when it cannot do what was asked: one line on stderr, and an exit code."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

BAD_INPUT = 2
"""Exit code for input that cannot be used; 1 means that the answer is no, 0 that all is well."""
INTERRUPTED = 130
"""Exit code after Ctrl-C where nothing could be kept."""

_BREAK = re.compile(r"\s*\n\s*")


class UserError(Exception):
    """Input that cannot be used; the message says what is wrong, where, and what would do."""


def one_line(message: object) -> str:
    """A message without line breaks, which would make two errors of one."""
    return _BREAK.sub(" ", str(message)).strip()


def nearest(asked: str, known: Iterable[str]) -> str:
    """A hint at the names most like the one asked for, to be followed by all of them; or nothing.

    >>> nearest("greddy", ["random", "greedy"])
    'did you mean greedy? '
    """
    near = difflib.get_close_matches(asked.casefold(), list(known), n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}? " if near else ""
