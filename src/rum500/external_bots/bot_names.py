"""Bots by name, as on a command line: a level, a file, a class, a network, an engine's command."""

from __future__ import annotations

import importlib
import os
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from rum500 import bots
from rum500.bots import Bot, UnknownBot
from rum500.bots.registry import budget_of, read_budget, registered
from rum500.external_bots.bot_errors import describe_error
from rum500.external_bots.engine_client import ENGINE, EngineBot
from rum500.external_bots.learned_bot import LEARNED, LearnedBot, NetworkError
from rum500.normalised_text import plain_text


class BotSpecError(ValueError):
    """A name for which no bot can be loaded. The message is one line."""

    code = "bot.outside"


def open_bot(name: str, *, clock: bool = True) -> Bot:
    """Return the bot with this name. Raises `BotSpecError` if it cannot be loaded.

    A name is a level (`greedy`, `expert:worlds=512`), a file (`my_bot.py`, `my_bot.py:Class`), a class of an
    importable module (`package.module:Class`), a learned network's file after `learned:`, or an engine's
    command line after `cmd:` (`cmd:./engine --strong`). The class may be left out if the module has only one
    bot. The bot can be pickled. With `clock=False` a level has no time limit unless its name sets one: its
    limit is in worlds, so its play does not depend on the machine's speed.
    """
    asked = plain_text(name).strip() if is_level(name) else name.strip()
    if asked.lower().startswith(ENGINE):
        return _engine(asked[len(ENGINE) :].strip())
    if asked.lower().startswith(LEARNED):
        try:
            return LearnedBot(asked[len(LEARNED) :].strip())
        except NetworkError as error:
            raise BotSpecError(f"{LEARNED}{error}") from None
    where, _, kind = asked.partition(":")
    module = _module(where, kind)
    if module is not None:
        return _made(module, kind, where)
    try:
        return bots.get(where, **_unhurried(where, read_budget(kind), clock))
    except UnknownBot as error:
        written = Path(where) / f"{Path(where).name}.py"
        near = f"did you mean {written}? " if written.is_file() else ""
        raise BotSpecError(
            f"{error}; {near}or name a file.py, a module:Class, learned:FILE, or cmd:COMMAND (in a list, "
            "without commas)"
        ) from None
    except (TypeError, ValueError) as error:
        raise BotSpecError(f"{asked}: {' '.join(str(error).split())}") from None


def is_level(name: str) -> bool:
    """Return whether a name is that of a level, with or without a budget. This runs no external code.

    >>> is_level("expert:worlds=64"), is_level("my_bot.py")
    (True, False)
    """
    try:
        return bool(registered(plain_text(name).partition(":")[0]))
    except UnknownBot:
        return False


def files_of(name: str) -> list[Path]:
    """Return the files of a bot that is not a level: its module, network, or those its command names."""
    asked = name.strip()
    if asked.lower().startswith(LEARNED):
        return [Path(asked[len(LEARNED) :].strip())]
    if asked.lower().startswith(ENGINE):
        words = _words(asked[len(ENGINE) :])
        return [path for path in (Path(shutil.which(word) or word) for word in words) if path.is_file()]
    where, _, kind = asked.partition(":")
    file = getattr(_module(where, kind), "__file__", None)
    return [Path(file)] if file else []


def _module(where: str, kind: str) -> ModuleType | None:
    if where.endswith(".py"):
        return _from_file(Path(where))
    if kind and "=" not in kind and not is_level(where):
        return _imported(where)
    return None


def _words(command: str) -> list[str]:
    return shlex.split(command, posix=os.name != "nt")


def _engine(command: str) -> EngineBot:
    try:
        program = _words(command)[0]
    except IndexError:
        raise BotSpecError("cmd: needs the command of an engine, such as cmd:./my-engine") from None
    except ValueError as error:
        raise BotSpecError(f"{ENGINE}{command}: {error}") from None
    if shutil.which(program) is None:
        raise BotSpecError(f"{ENGINE}{command}: there is no program {program!r} that can be run")
    return EngineBot(command)


def _unhurried(level: str, options: dict[str, float], clock: bool) -> dict[str, float]:
    """Return the options of a level, with no default time limit if `clock` is false."""
    usual = budget_of(level.strip().lower()) or {}
    return options if clock or "seconds" not in usual else {"seconds": 0.0, **options}


def split_names(text: str) -> list[str]:
    """Return the names in a list, separated by commas, or by blanks if there are no commas.

    A single command or file with blanks in it is not split.

    >>> split_names("greedy,random"), split_names("greedy random"), split_names("cmd:./engine -x, greedy")
    (['greedy', 'random'], ['greedy', 'random'], ['cmd:./engine -x', 'greedy'])
    """
    found = [word for part in text.split(",") if (word := part.strip())]
    if len(found) == 1 and not found[0].lower().startswith((ENGINE, LEARNED)):
        where, colon, kind = found[0].rpartition(":")
        if not Path(where if colon and kind.isidentifier() else found[0]).is_file():
            return found[0].split()
    return found


def allow_local_imports() -> None:
    """Allow imports from the current folder, with the lowest priority."""
    here = os.getcwd()  # noqa: PTH109 - as Python itself puts it there
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)


def _from_file(path: Path) -> ModuleType:
    """Import a file as a module under its own name, so that its bots can be pickled; return the module."""
    if not path.is_file():
        raise BotSpecError(f"{path}: there is no such file")
    folder, name = str(path.resolve().parent), path.stem
    if not name.isidentifier():
        raise BotSpecError(f"{path}: a Python file's name is made of letters, digits and _")
    known = sys.modules.get(name)
    if known is not None:
        _be_same(known, path)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that a string.py beside it does not hide Python's own
    module = _imported(name, str(path))
    _be_same(module, path)
    return module


def _be_same(module: ModuleType, path: Path) -> None:
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file() or not path.samefile(file):
        raise BotSpecError(
            f"{path}: there is another module called {module.__name__}; give the file another name"
        )


def _imported(name: str, where: str = "") -> ModuleType:
    allow_local_imports()
    asked = sys.stdin
    try:
        with Path(os.devnull).open() as sys.stdin:  # a module that is a program could wait for input
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a module does when it is read
        raise BotSpecError(f"{where or name}: cannot be read: {describe_error(error)}") from None
    finally:
        sys.stdin = asked


def _made(module: ModuleType, kind: str, where: str) -> Bot:
    found: Any
    if kind:
        found = getattr(module, kind, None)
        if found is None:
            raise BotSpecError(f"{where}: there is no {kind} in it")
    else:
        classes = [value for value in vars(module).values() if isinstance(value, type)]
        players = [one for one in classes if one.__module__ == module.__name__ and hasattr(one, "choose")]
        own = [one for one in players if not _lacking(one)] or players
        if len(own) != 1:
            what = f"none (a program is called by {ENGINE}COMMAND)"
            if own:
                what = f"{', '.join(one.__name__ for one in own)}: write {where}:{own[0].__name__}"
            raise BotSpecError(f"{where}: expected one class with a name and a method choose, found {what}")
        found = own[0]
    try:
        made = found() if callable(found) else found
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot does when it is made
        raise BotSpecError(f"{where}: the bot cannot be made: {describe_error(error)}") from None
    if lacking := _lacking(made):
        raise BotSpecError(f"{where}: {type(made).__name__} is no bot: it has no {' and no '.join(lacking)}")
    return made  # type: ignore[no-any-return]


def _lacking(thing: object) -> list[str]:
    name = [] if isinstance(getattr(thing, "name", None), str) else ["name (a text)"]
    return name if callable(getattr(thing, "choose", None)) else [*name, "choose(view, rng)"]
