"""What went wrong in somebody else's program, said in one line."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FrameType

_OURS = str(Path(__file__).parents[1])


def told(error: BaseException) -> str:
    """An error's kind, its words, and the last line that is not ours: `KeyError: 7 (my_bot.py:12)`."""
    words = " ".join(str(error).split())
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    where = _last(traceback.extract_tb(error.__traceback__))
    return f"{text} ({where})" if where else text


def place(frame: FrameType | None) -> str:
    """The last line that is not ours of what runs there: `my_bot.py:12`; empty where there is none."""
    return "" if frame is None else _last(traceback.extract_stack(frame))


def _last(frames: traceback.StackSummary) -> str:
    theirs = [one for one in frames if not one.filename.startswith(("<", _OURS))]
    return f"{Path(theirs[-1].filename).name}:{theirs[-1].lineno}" if theirs else ""
