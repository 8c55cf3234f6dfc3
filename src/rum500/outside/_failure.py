"""What went wrong in somebody else's program, said in one line."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FrameType

from rum500.bots import Bot
from rum500.outside._external import EngineError
from rum500.rng import Rng
from rum500.rules.actions import code_of
from rum500.state import IllegalPlay, State

_OURS = str(Path(__file__).parents[1])


class BotFailed(RuntimeError):
    """What a bot did in place of playing, in words that follow its name; an engine says it itself."""

    code = "bot.failed"


def choice_of(bot: Bot, state: State, chance: Rng) -> int:
    """What a bot plays, as a legal action's number; `BotFailed` or `EngineError` where it plays none."""
    view = state.view(state.actor)
    try:
        choice = bot.choose(view, chance)
    except EngineError:
        raise
    except (Exception, SystemExit) as error:
        raise BotFailed(f"{bot.name} failed: {told(error)}") from error
    try:
        code = code_of(choice)
    except (KeyError, TypeError, ValueError) as error:
        raise BotFailed(f"{bot.name} played {' '.join(repr(choice).split())}, which is no play") from error
    if code not in view.legal:
        try:
            state.apply(choice)
        except IllegalPlay as error:
            raise BotFailed(f"{bot.name} played what is not legal: {error}") from error
    return code


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
