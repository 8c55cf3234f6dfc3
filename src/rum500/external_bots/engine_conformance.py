"""Checks that an engine follows RBI: options, budgets, stops, and unknown commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rum500.external_bots.engine_client import EngineBot, EngineError
from rum500.view import View

_OPTION = re.compile(
    r"name (?P<name>\S.*?) type "
    r"(?:number default (?P<number>\d{1,20}) min (?P<min>\d{1,20}) max (?P<max>\d{1,20})"
    r"|text default(?P<text>.*))"
)
_GOES = ("seed 1", "seed 1 movetime 100", "seed 1 worlds 1", "seed 1 worlds 8 movetime 100", "")
_STOPPED_MS = 2000
"""The time limit, in ms, of a choice that is stopped at once; the engine may ignore the stop."""
_SPOKEN_TO_MS = 300
"""The time limit, in ms, of a choice during which a command is sent; the engine may read it afterwards."""
_SAME = "seed 1 worlds 8"


def breaches(one: EngineBot, view: View) -> list[tuple[str, str]]:
    """Return the violations of the protocol as (kind, message). The view must have several legal plays.

    An engine may ignore any command. A command that requires an answer must get exactly one, and others none.
    """
    found: list[tuple[str, str]] = []
    for sent, step in _steps(one, view):
        try:
            found += step()
        except EngineError as error:
            return [*found, ("failed", f"{error} (asked: {sent})")]
    return found


_Step = Callable[[], list[tuple[str, str]]]


def _steps(one: EngineBot, view: View) -> Iterator[tuple[str, _Step]]:
    yield "its options", lambda: _options(one)
    yield "a command that there is not", lambda: _unanswered(one, "no-such-command 1")
    yield "stop, and nothing to stop", lambda: _unanswered(one, "stop")
    for words in _GOES:
        yield f"go {words}".strip(), lambda words=words: _asked(one, view, words)  # type: ignore[misc]
    yield "go, then stop", lambda: _stopped(one, view)
    yield "go, then isready", lambda: _ready_or_played(one, view)
    yield "go, then go", lambda: _asked_twice(one, view)
    yield f"go {_SAME}, twice", lambda: _the_same(one, view)


def _options(one: EngineBot) -> list[tuple[str, str]]:
    """Check that each option is announced properly and can be set; an unknown option must be ignored."""
    one.begin()
    found = []
    for line in one.announced:
        option = _OPTION.fullmatch(line)
        if option is None or (option["number"] and not _is_between(*option.group("number", "min", "max"))):
            said = f"option {line}"[:80]
            found.append(("failed", f"it announces {said!r}, which is neither a number nor a text"))
        else:
            one.say(f"setoption name {option['name']} value {option['number'] or option['text'].strip()}")
    return found + _unanswered(one, "setoption name no-such-option value 1")


def _is_between(number: str, least: str, most: str) -> bool:
    return int(least) <= int(number) <= int(most)


def _unanswered(one: EngineBot, command: str) -> list[tuple[str, str]]:
    one.say(command)
    return _ready(one)


def _ready(one: EngineBot) -> list[tuple[str, str]]:
    """Send `isready` and check that the engine's next line is `readyok`: it has written nothing else."""
    one.say("isready")
    one.answer("readyok", one.patience)
    return []


def _asked(one: EngineBot, view: View, words: str) -> list[tuple[str, str]]:
    one.present(view)
    one.say(f"go {words}".strip())
    one.played(view, one.patience)
    return _ready(one)


def _stopped(one: EngineBot, view: View) -> list[tuple[str, str]]:
    one.present(view)
    one.say(f"go seed 1 movetime {_STOPPED_MS}\nstop")
    one.played(view, one.patience + _STOPPED_MS / 1000)
    return _ready(one)


def _ready_or_played(one: EngineBot, view: View) -> list[tuple[str, str]]:
    """Check that the engine answers both `isready` and `go`, once each, in any order."""
    one.present(view)
    one.say(f"go seed 1 movetime {_SPOKEN_TO_MS}\nisready")
    within = one.patience + _SPOKEN_TO_MS / 1000
    word, sent = one.expect("readyok", "bestplay", seconds=within)
    if word == "bestplay":
        one.judged(sent, view)
        one.answer("readyok", one.patience)
    else:
        one.played(view, within)
    return _ready(one)


def _asked_twice(one: EngineBot, view: View) -> list[tuple[str, str]]:
    one.present(view)
    one.say(f"go seed 1 movetime {_SPOKEN_TO_MS}\ngo seed 2 movetime {_SPOKEN_TO_MS}")
    for _ in range(2):
        one.played(view, one.patience + _SPOKEN_TO_MS / 1000)
    return _ready(one)


def _the_same(one: EngineBot, view: View) -> list[tuple[str, str]]:
    plays = []
    for _ in range(2):
        one.present(view)
        one.say(f"go {_SAME}")
        plays.append(one.played(view, one.patience))
    if plays[0] == plays[1]:
        return []
    return [("unsteady", f"twice asked to go {_SAME} it did not play the same")]
