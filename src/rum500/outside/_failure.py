"""What went wrong in somebody else's program, said in one line."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path
from textwrap import shorten
from types import FrameType
from typing import Any

from rum500.belief import seat_core
from rum500.bots import Bot
from rum500.outside._external import EngineError
from rum500.rng import Rng
from rum500.rules.actions import code_of
from rum500.rules.notation import play_text
from rum500.state import IllegalPlay, State
from rum500.view import View

_OURS = str(Path(__file__).parents[1])
_PYTHONS = tuple({sysconfig.get_path(key) for key in ("stdlib", "platstdlib")})
_OTHERS = tuple({sysconfig.get_path(key) for key in ("purelib", "platlib")})
_MOST_SHOWN = 80


class BotFailed(RuntimeError):
    """What a bot did in place of playing, in words that follow its name; an engine says it itself."""

    code = "bot.failed"


class NoPlay(ValueError):
    """What was chosen is no legal play; the message says what it was, and why not: "played None, ...".

    `illegal`: it is a play, at another time.
    """

    code = "bot.no_play"

    def __init__(self, message: str, *, illegal: bool) -> None:
        """With what is to be told."""
        super().__init__(message)
        self.illegal = illegal


def choice_of(bot: Bot, view: View, chance: Rng) -> int:
    """What a bot plays, as a legal action's number; `BotFailed` or `EngineError` where it plays none."""
    try:
        choice = bot.choose(view, chance)
    except EngineError:
        raise
    except (Exception, SystemExit) as error:
        raise BotFailed(f"{bot.name} failed: {told(error)}") from error
    try:
        return number_of(choice, view)
    except NoPlay as error:
        raise BotFailed(f"{bot.name} {error}") from error


def number_of(choice: Any, view: View) -> int:
    """The number of the legal action that was chosen; `NoPlay` if it is none."""
    try:
        code = code_of(choice)
    except Exception as error:  # what it chose may be anything
        raise NoPlay(
            f"played {_shown(choice)}, which is no play: choose returns one of view.legal_actions(), or its "
            "number, one of view.legal",
            illegal=False,
        ) from error
    if code not in view.legal:
        shown = play_told(choice, view)
        try:
            State(view.rules, seat_core(view).core, view.past).apply(choice)
        except IllegalPlay as error:
            raise NoPlay(f"played {shown}, which is not legal: {error}", illegal=True) from error
    return code


def play_told(choice: Any, view: View) -> str:
    """A play in the notation, or as Python shows it where it has none."""
    try:
        return play_text(choice, view)
    except Exception:  # noqa: BLE001 - what was chosen may be anything
        return _shown(choice)


def _shown(thing: object) -> str:
    return shorten(repr(thing), _MOST_SHOWN, placeholder=" ...")


def told(error: BaseException) -> str:
    """An error's kind, its words, and the bot's last line in it: `KeyError: 7 (my_bot.py:12)`."""
    words = " ".join(str(error).split())
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    where = line_of(error)
    return f"{text} ({where})" if where else text


def line_of(error: BaseException) -> str:
    """The bot's last line in an error: `my_bot.py:12`; empty where there is none."""
    return _last(traceback.extract_tb(error.__traceback__))


def place(frame: FrameType | None) -> str:
    """The bot's last line in what runs there: `my_bot.py:12`; empty where there is none."""
    return "" if frame is None else _last(traceback.extract_stack(frame))


def _last(frames: traceback.StackSummary) -> str:
    """The last line that is neither ours nor Python's; one of an installed package if there is no other."""
    theirs = [one for one in frames if not one.filename.startswith(_OURS) and not _pythons(one.filename)]
    own = [one for one in theirs if not one.filename.startswith(_OTHERS)] or theirs
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""


def _pythons(file: str) -> bool:
    """Whether a file is Python's own."""
    return file.startswith("<") or (file.startswith(_PYTHONS) and not file.startswith(_OTHERS))
