"""One-line descriptions of errors in external bots."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

from rum500.ai import known_deal
from rum500.bots import Bot, choice_of
from rum500.external_bots.engine_client import EngineError
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.notation import play_text
from rum500.state import IllegalPlay, State
from rum500.view import View

_NOT_THE_BOTS = {"rum500", *sys.stdlib_module_names}
_INSTALLED = ("site-packages", "dist-packages")
_MOST_SHOWN = 80


class BotFailed(RuntimeError):
    """A bot failed to play. The message begins with its name; for engines see `EngineError`."""

    code = "bot.failed"


class IllegalBotMove(ValueError):
    """A choice that is not a legal play. The message states the choice and the reason: "played None, ..."."""

    code = "bot.no_play"


def ask_bot(bot: Bot, view: View, chance: Rng) -> int:
    """Return the code of the legal action that a bot chooses. Raises `BotFailed` or `EngineError`."""
    try:
        choice = choice_of(bot, view, chance)
    except (BotFailed, EngineError):
        raise
    except (Exception, SystemExit) as error:
        raise BotFailed(f"{bot.name} failed: {describe_error(error)}") from error
    try:
        return legal_code_of(choice, view)
    except IllegalBotMove as error:
        raise BotFailed(f"{bot.name} {error}") from error


def legal_code_of(choice: Any, view: View) -> int:
    """Return the code of a choice. Raises `IllegalBotMove` if it is not a legal action."""
    try:
        code = code_of(choice)
    except Exception as error:  # the choice may be any object, with methods that raise anything
        raise IllegalBotMove(
            f"played {_shown(choice)}, which is not a play: choose returns one of view.legal_actions(), or "
            "its number, one of view.legal"
        ) from error
    if code not in view.legal:
        shown = _choice_text(choice, view)
        try:
            State(view.rules, known_deal(view).core, view.past).apply(choice)
        except IllegalPlay as error:
            raise IllegalBotMove(f"played {shown}, which is not legal: {error}") from error
    return code


def _choice_text(choice: Any, view: View) -> str:
    try:
        return play_text(choice, view)
    except Exception:  # noqa: BLE001 - what was chosen may be anything
        return _shown(choice)


def _shown(thing: object) -> str:
    try:
        text = " ".join(repr(thing).split())
    except Exception:  # noqa: BLE001 - its own repr may fail
        text = object.__repr__(thing)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def describe_error(error: BaseException) -> str:
    """Return an error's type, message and last line in the bot's code: `KeyError: 7 (my_bot.py:12)`."""
    words = " ".join(str(error).split())
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    where = error_location(error)
    if isinstance(error, TypeError) and not where and ".choose()" in words:
        return f"{text}; it is called as choose(view, rng)"
    return f"{text} ({where})" if where else text


def error_location(error: BaseException) -> str:
    """Return the last line of the bot's code in an error, `my_bot.py:12`; empty if there is none."""
    return _last(traceback.walk_tb(error.__traceback__))


def current_place(thread: int | None) -> str:
    """Return the line of the bot's code that a thread executes, `my_bot.py:12`; empty if there is none.

    `thread` is the thread's `ident`.
    """
    frame = sys._current_frames().get(thread or 0)  # noqa: SLF001 - documented, whatever it is called
    return _last(reversed(list(traceback.walk_stack(frame)))) if frame is not None else ""


def _last(steps: Iterable[tuple[FrameType, int]]) -> str:
    """Return the last of these source lines that is outside rum500 and Python, as `my_bot.py:12`.

    A line outside installed packages is preferred. The result is empty if there is no such line.
    """
    theirs = [(frame.f_code.co_filename, line) for frame, line in steps if not _is_not_the_bots(frame)]
    own = [step for step in theirs if not any(part in step[0] for part in _INSTALLED)] or theirs
    return f"{Path(own[-1][0]).name}:{own[-1][1]}" if own else ""


def _is_not_the_bots(frame: FrameType) -> bool:
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package in _NOT_THE_BOTS or frame.f_code.co_filename.startswith("<")
