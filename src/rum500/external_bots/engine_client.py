"""An engine, a program of its own that speaks RBI, as a bot."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import shlex
import subprocess
import threading
import time
from typing import IO, Any
from weakref import WeakSet

from rum500.external_bots.rbi_text import VERSION, legal_code, rules_block, view_block
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset
from rum500.view import View

ENGINE = "cmd:"
"""What the name of an engine begins with."""
HANDSHAKE_S = 10.0
"""So long an engine may take to begin."""
CHOICE_S = 10.0
"""So long it may take over its time for a choice."""
_LONGEST_LINE = 1 << 16
_MOST_INFO = 10_000
"""Lines that an engine may say about one choice."""
_UNHEARD_S = 60.0
"""So long an engine may go on talking when nobody has heard all that."""
_TOLD_ERRORS = 300
_Lines = queue.Queue[str | None]


class EngineError(RuntimeError):
    """An engine did not do its part; the message says what it should have done, and what it did."""

    code = "engine.failed"


class EngineBot:
    """An engine as a bot: the process begins with its first choice, and again in each process it is sent to.

    `options` are set after the handshake. `seconds` is the time a choice is given (None or 0: nothing is said
    of it), `worlds` what it tries (None: likewise). One that does not answer in that time and `patience`
    seconds more is ended.
    """

    def __init__(
        self,
        command: str,
        options: dict[str, str] | None = None,
        *,
        seconds: float | None = None,
        worlds: int | None = None,
        patience: float = CHOICE_S,
    ) -> None:
        """By its command line, quoted as for a shell, which is not used."""
        self.command = command
        self.options = dict(options or {})
        self.seconds = seconds
        self.worlds = worlds
        self.patience = patience
        self.name = f"{ENGINE}{command}"
        self.author = ""
        self.announced: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._lines = _Lines(_MOST_INFO)
        self._errors = self._info = ""
        self._rules: Ruleset | None = None
        self._deal: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to another process, it begins anew there."""
        return _again, (self.command, self.options, self.seconds, self.worlds, self.patience)

    # --- as a bot -------------------------------------------------------------------------------------

    def choose(self, view: View, rng: Rng) -> int:
        """What the engine plays; `EngineError` where it plays nothing legal."""
        self._info = ""
        self.present(view)
        go = ["go", f"seed {rng.next64()}"]
        if self.worlds is not None:
            go.append(f"worlds {self.worlds}")
        if self.seconds:
            go.append(f"movetime {max(1, round(self.seconds * 1000))}")
        self.say(" ".join(go))
        return self.played(view, self.patience + (self.seconds or 0))

    def present(self, view: View) -> None:
        """Say all that `go` hangs on: the rules, the deal, the view and its legal plays."""
        self.begin()
        self._overhear()
        self._announce(view)
        for line in view_block(view):
            self.say(line)

    def played(self, view: View, seconds: float) -> int:
        """What it answers `go` with, within these seconds; `EngineError` if that is nothing legal."""
        return self.judged(self.answer("bestplay", seconds), view)

    def judged(self, told: str, view: View) -> int:
        """The legal play that it told; `EngineError` if it is none."""
        code = legal_code(told, view)
        if code is None:
            raise self._failed(f"bestplay {told}: that is no legal play here")
        return code

    def _announce(self, view: View) -> None:
        if view.rules != self._rules:
            for line in rules_block(view.rules):
                self.say(line)
            word, why = self.hear("rulesok", "rulesno", seconds=self.patience)
            if word == "rulesno":
                raise self._failed(f"it does not play {view.rules.title}: {why}")
            self._rules = view.rules
        deal = (view.seat, view.players, view.dealer, view.totals, view.number, view.past[:1])
        if deal != self._deal:
            self._deal = deal
            self.say(f"newdeal players {view.players} seat {view.seat}")

    # --- the process ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start it, if it does not run, and shake hands."""
        if self._process is not None:
            return
        try:
            words = shlex.split(self.command, posix=os.name != "nt")
            process = subprocess.Popen(  # noqa: S603 - the command is what the user asked for
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"{self.command}: cannot be started: {why}") from None
        self._process, self._errors, self._info = process, "", ""
        _RUNNING.add(self)
        self._rules, self._deal = None, ()
        self._lines = _Lines(_MOST_INFO)
        threading.Thread(target=self._listen, args=(process, self._lines), daemon=True).start()
        self._errors_reader = threading.Thread(target=self._listen_to_errors, args=(process,), daemon=True)
        self._errors_reader.start()
        self._shake_hands()

    def _shake_hands(self) -> None:
        self.say(VERSION)
        self.announced = []
        word = ""
        while word != "rbiok":
            word, rest = self.hear("id", "option", "rbiok", "rbino", seconds=HANDSHAKE_S)
            if word == "rbino":
                raise self._failed(f"it does not speak {VERSION}: {rest}")
            if word == "option":
                self.announced.append(rest)
            elif rest.startswith("name "):
                self.name = rest[5:].strip() or self.name
            elif rest.startswith("author "):
                self.author = rest[7:].strip()
        for name, value in self.options.items():
            self.say(f"setoption name {name} value {value}")
        self.say("isready")
        self.answer("readyok", HANDSHAKE_S)

    def say(self, line: str) -> None:
        """Say one line to the engine."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass  # what it said at last, or that it is gone, is heard next

    def hear(self, *words: str, seconds: float) -> tuple[str, str]:
        """The one of these words that its next line begins with, and what follows; `info` is passed over.

        `EngineError` if none comes within these seconds, or something else.
        """
        expected, end = ", ".join(words), time.monotonic() + seconds
        for _ in range(_MOST_INFO):
            try:
                line = self._lines.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                raise self._failed(f"it did not answer within {seconds:g} s; expected {expected}") from None
            if line is None:
                raise self._gone()
            first, _, rest = line.strip().partition(" ")
            if first in words:
                return first, rest.strip()
            if first not in ("", "info"):
                raise self._failed(f"it said {_short(line.strip())}; expected {expected} or info")
            self._info = rest.removeprefix("string ") or self._info
        raise self._failed(f"it said more than {_MOST_INFO} lines before {expected}")

    def _overhear(self) -> None:
        """Pass over the info since its last answer; a second answer would be taken for the next one's."""
        with contextlib.suppress(queue.Empty):
            while True:
                line = self._lines.get_nowait()
                if line is None:
                    raise self._gone()
                if line.strip() and line.split()[0] != "info":
                    raise self._failed(f"it said {_short(line.strip())} unasked")

    def answer(self, word: str, seconds: float) -> str:
        """What follows this word in its next line."""
        return self.hear(word, seconds=seconds)[1]

    def close(self) -> None:
        """Let the engine end, and see to it that it does."""
        if self._process is None:
            return
        try:
            self.say("quit")
            self._process.wait(1.0)
        except (EngineError, subprocess.TimeoutExpired):
            pass
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _RUNNING.discard(self)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            _close(pipe)

    def __del__(self) -> None:
        self._end()

    def _failed(self, why: str) -> EngineError:
        told = f"{self.command}: {why}"
        for where, text in (("as info", self._info), ("on stderr", self._errors)):
            if text.strip():
                told += f" ({where}: {' '.join(text.split())[-_TOLD_ERRORS:]})"
        self._end()
        return EngineError(told)

    def _gone(self) -> EngineError:
        assert self._process is not None
        try:
            code: object = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            code = None
        else:
            self._errors_reader.join(1.0)  # until what it said last is read; a child may hold the pipe open
        return self._failed("it closed its output" if code is None else f"it ended, exit code {code}")

    @staticmethod
    def _listen(process: subprocess.Popen[str], lines: _Lines) -> None:
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError, queue.Full):  # it was ended, or babbles on unheard
            while line := process.stdout.readline(_LONGEST_LINE):
                lines.put(line, timeout=_UNHEARD_S)
        with contextlib.suppress(queue.Full):
            lines.put_nowait(None)

    def _listen_to_errors(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        try:
            while line := process.stderr.readline(_LONGEST_LINE):
                self._errors = (self._errors + line)[-4 * _TOLD_ERRORS :]
        except (OSError, ValueError):
            pass


_RUNNING: WeakSet[EngineBot] = WeakSet()
"""Those with a process."""


@atexit.register
def end_engines() -> None:
    """Let all engines of this process end: one that does not heed its input's end would outlive it."""
    for bot in list(_RUNNING):
        bot.close()


def _again(
    command: str, options: dict[str, str], seconds: float | None, worlds: int | None, patience: float
) -> EngineBot:
    return EngineBot(command, options, seconds=seconds, worlds=worlds, patience=patience)


def _close(pipe: IO[str] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError:  # what was still to be written
        pass


def _short(line: str) -> str:
    return repr(line if len(line) <= 80 else line[:77] + "...")
