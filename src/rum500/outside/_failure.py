"""What went wrong in somebody else's program, said in one line."""

from __future__ import annotations

import traceback
from pathlib import Path

_OURS = str(Path(__file__).parents[1])


def told(error: BaseException) -> str:
    """An error's kind, its words, and the last line that is not ours: `KeyError: 7 (my_bot.py:12)`."""
    words = " ".join(str(error).split())
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<", _OURS))
    ]
    return f"{text} ({Path(theirs[-1].filename).name}:{theirs[-1].lineno})" if theirs else text
