"""Serves any bot as an engine: the engine's side of RBI over two text streams."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import TextIO

from rum500.bots import Bot, StoppableChoice
from rum500.bots.search_bot import MOST_SECONDS, MOST_WORLDS_ASKED
from rum500.external_bots.bot_errors import IllegalBotMove, describe_error, legal_code_of
from rum500.external_bots.rbi_text import END, LONGEST_LINE, MOST_LINES, VERSION, read_view
from rum500.rng import U64, Rng
from rum500.rules.notation import play_text
from rum500.state.rules_text import read_rules
from rum500.state.text_lines import key_line
from rum500.view import View

_RANGES = {"seed": (0, U64), "worlds": (1, MOST_WORLDS_ASKED), "movetime": (1, 1000 * MOST_SECONDS)}
"""The parameters of `go`, each with its allowed range."""


def serve_engine(bot: Bot, author: str, incoming: TextIO, outgoing: TextIO) -> None:
    """Serve this bot as an engine until `quit` or the end of the input."""
    _Engine(bot, author, incoming, outgoing).run()


class _Engine:
    def __init__(self, bot: Bot, author: str, incoming: TextIO, outgoing: TextIO) -> None:
        self._bot, self._author = bot, author
        self._usual = {key: getattr(bot, key) for key in ("seconds", "worlds") if hasattr(bot, key)}
        self._in, self._out = incoming, outgoing
        self._speaking = threading.Lock()
        self._seed = 0
        self._position: list[str] = []
        self._past: list[str] = []
        self._choice: StoppableChoice | None = None
        self._thinking: threading.Thread | None = None

    def run(self) -> None:
        """Answer the input line by line. Unknown lines are reported as `info` and skipped."""
        lines = self._lines()
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "quit":
                break
            if word == "rbi":
                self._greet(line)
            elif word == "rules":
                self._rules(self._block(lines))
            elif word == "view":
                self._position, self._past = self._block(lines), []
            elif word in self._DOES:
                self._DOES[word](self, rest.split())
            elif word:
                self._say(f"info string there is no command {word!r}")
        self._stop([])

    def _lines(self) -> Iterator[str]:
        """Yield the input's lines, stripped. Lines that are too long are reported as `info` and skipped."""
        while line := self._in.readline(LONGEST_LINE + 1):
            if len(line) <= LONGEST_LINE:
                yield line.strip()
                continue
            self._say(f"info string a line has at most {LONGEST_LINE:,} characters")
            while line and not line.endswith("\n"):
                line = self._in.readline(LONGEST_LINE)

    def _say(self, line: str) -> None:
        with self._speaking:
            self._out.write(line + "\n")
            self._out.flush()

    def _greet(self, version: str) -> None:
        if version != VERSION:
            self._say(f"rbino this is {VERSION}")
            return
        self._say(f"id name rum500 {self._bot.name}")
        self._say(f"id author {self._author}")
        self._say("option name seed type number default 0 min 0 max 18446744073709551615")
        self._say("rbiok")

    def _block(self, lines: Iterator[str]) -> list[str]:
        """Return the lines of a block; none if it is too long, which is reported as `info`."""
        found: list[str] = []
        for number, line in enumerate(lines):
            if line == END:
                break
            if number < MOST_LINES:
                found.append(line)
            elif number == MOST_LINES:
                self._say(f"info string a block has at most {MOST_LINES:,} lines")
                found.clear()
        return found

    def _rules(self, lines: list[str]) -> None:
        block = [line[1:].removeprefix(" ") for line in lines if line.startswith("|")]
        keys = [found for at, line in enumerate(lines, 1) if (found := key_line(line, at)) is not None]
        _, problems = read_rules([one for one in keys if not one.name.startswith("|")], block, "rules")
        if problems:
            self._say(f"rulesno {' '.join(problems[0].message.split())}")
            return
        self._say("rulesok")

    def _setoption(self, words: list[str]) -> None:
        match words:
            case ["name", "seed", "value", number] if (seed := _number(number)) is not None:
                self._seed = seed
            case _:
                self._say(f"info string the option is: name seed value NUMBER, 0 to {U64}")

    def _isready(self, _words: list[str]) -> None:
        self._say("readyok")

    def _newdeal(self, _words: list[str]) -> None:
        """Ignore `newdeal` and `legal`: choices depend only on the view, which `view` and `past` describe."""

    def _take_past(self, words: list[str]) -> None:
        self._past = words

    def _go(self, words: list[str]) -> None:
        self._stop([])
        try:
            view = read_view(self._position, self._past)
            said = _asked(words)
        except ValueError as error:
            self._say(f"info string {error}")
            self._say("bestplay none")
            return
        if not view.legal:
            self._say("bestplay none")
            return
        self._give(said)
        self._choice = StoppableChoice(self._bot, view, Rng(said.get("seed", self._seed)))
        self._thinking = threading.Thread(target=self._think, args=(self._choice, view), daemon=True)
        self._thinking.start()

    def _give(self, said: dict[str, int]) -> None:
        """Set the bot's budget for a choice from `said`, the parameters of `go`; by default the bot's own.

        If `go` states only a number of worlds, the choice has no time limit.
        """
        given = dict(self._usual)
        if "worlds" in said and "worlds" in given:
            given |= {"worlds": said["worlds"], "seconds": 0.0}
        if "movetime" in said:
            given["seconds"] = said["movetime"] / 1000
        for key in self._usual:
            setattr(self._bot, key, given[key])

    def _think(self, choice: StoppableChoice, view: View) -> None:
        play = "none"
        try:
            play = play_text(legal_code_of(choice.make(), view), view)
        except IllegalBotMove as error:
            self._say(f"info string {self._bot.name} {error}")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot raises
            self._say(f"info string {describe_error(error)}")
        self._say(f"bestplay {play}")

    def _stop(self, _words: list[str]) -> None:
        if self._thinking is None or self._choice is None:
            return
        self._choice.stop()
        self._thinking.join()
        self._thinking = self._choice = None

    _DOES: dict[str, Callable[[_Engine, list[str]], None]] = {  # noqa: RUF012 - it is never changed
        "setoption": _setoption,
        "isready": _isready,
        "newdeal": _newdeal,
        "past": _take_past,
        "legal": _newdeal,
        "go": _go,
        "stop": _stop,
    }


def _asked(words: list[str]) -> dict[str, int]:
    """Return the parameters of `go`; unknown words are skipped. Raises `ValueError` for an invalid number."""
    found = {}
    for key, value in zip_longest(words[::2], words[1::2], fillvalue=""):
        if key not in _RANGES:
            continue
        (least, most), number = _RANGES[key], _number(value)
        if number is None or not least <= number <= most:
            raise ValueError(f"go {key} takes a whole number, {least} to {most}, not {value[:40]!r}")
        found[key] = number
    return found


def _number(text: str) -> int | None:
    """Return a number of at most 64 bits; None for any other text."""
    number = int(text) if text.isdecimal() and len(text) <= 20 else U64 + 1
    return number if number <= U64 else None
