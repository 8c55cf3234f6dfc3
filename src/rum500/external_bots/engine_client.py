"""Bots that are engines: external programs that speak RBI, the rum bot interface."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import shlex
import subprocess
import threading
import time
from functools import partial
from typing import IO, Any
from weakref import WeakSet

from rum500.bots import FastBot
from rum500.external_bots.rbi_text import VERSION, legal_code, rules_block, view_block
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset
from rum500.view import View

ENGINE = "cmd:"
"""The prefix that marks a bot's name as an engine's command line."""
HANDSHAKE_S = 60.0
"""The time limit for an engine to start, in seconds: one that loads a network takes long on a busy machine.

An engine that ends instead is noticed at once.
"""
CHOICE_S = 10.0
"""How many seconds an engine may exceed its limit for a choice."""
_LONGEST_LINE = 1 << 16
_MOST_INFO = 10_000
"""The largest number of `info` lines that an engine may write for one choice."""
_UNHEARD_S = 60.0
"""How many seconds the thread that reads an engine's output waits for room in a full queue."""
_SHOWN_ERRORS = 300
_Lines = queue.Queue[str | None]


class EngineError(RuntimeError):
    """An engine broke the protocol. The message states what was expected and what happened."""

    code = "engine.failed"


class EngineBot(FastBot):
    """An engine as a bot. Each process that uses the bot starts its own engine at the first choice.

    `options` are set after the handshake. `seconds` is the time for a choice, and `worlds` the number of
    worlds to try; if None (or 0 seconds), the engine gets no such limit. An engine that does not answer
    within that time plus `patience` seconds is killed.
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
        """Store the command line, which is quoted as for a shell. No shell runs it."""
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
        """Pickle the settings; a copy starts a new process."""
        again = partial(EngineBot, seconds=self.seconds, worlds=self.worlds, patience=self.patience)
        return again, (self.command, self.options)

    @property
    def process_id(self) -> int | None:
        """The number of the engine's process; None while it does not run."""
        return None if self._process is None else self._process.pid

    # --- as a bot -------------------------------------------------------------------------------------

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the code of the engine's play. Raises `EngineError` if the play is not legal."""
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
        """Send everything that `go` depends on: the rules, the deal, the view and its legal plays."""
        self.begin()
        self._check_nothing_unasked()
        self._announce(view)
        for line in view_block(view):
            self.say(line)

    def played(self, view: View, seconds: float) -> int:
        """Return the code of the play in the engine's answer to `go`. Raises `EngineError` if no legal play
        comes in time.
        """
        return self.judged(self.answer("bestplay", seconds), view)

    def judged(self, text: str, view: View) -> int:
        """Return the code of the play that the engine sent. Raises `EngineError` if it is not legal."""
        code = legal_code(text, view)
        if code is None:
            raise self._failed(f"bestplay {text}: that is no legal play here")
        return code

    def _announce(self, view: View) -> None:
        if view.rules != self._rules:
            for line in rules_block(view.rules):
                self.say(line)
            word, why = self.expect("rulesok", "rulesno", seconds=self.patience)
            if word == "rulesno":
                raise self._failed(f"it does not play {view.rules.title}: {why}")
            self._rules = view.rules
        deal = (view.seat, view.players, view.dealer, view.totals, view.number, view.past[:1])
        if deal != self._deal:
            self._deal = deal
            self.say(f"newdeal players {view.players} seat {view.seat}")

    # --- the process ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start the process if it is not running, and exchange the handshake."""
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
            word, rest = self.expect("id", "option", "rbiok", "rbino", seconds=HANDSHAKE_S)
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
        """Send a line to the engine."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass  # the next read gets the engine's last output or its end

    def expect(self, *words: str, seconds: float) -> tuple[str, str]:
        """Wait for a line that begins with one of these words; return (word, rest of the line).

        Lines of `info` are skipped. Raises `EngineError` for another line, or for none within these seconds.
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

    def _check_nothing_unasked(self) -> None:
        """Raise `EngineError` if the engine has sent a line, other than `info`, without a request."""
        with contextlib.suppress(queue.Empty):
            while True:
                line = self._lines.get_nowait()
                if line is None:
                    raise self._gone()
                if line.strip() and line.split()[0] != "info":
                    raise self._failed(f"it said {_short(line.strip())} unasked")

    def answer(self, word: str, seconds: float) -> str:
        """Return the rest of the engine's next line, which must begin with this word."""
        return self.expect(word, seconds=seconds)[1]

    def close(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
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
        message = f"{self.command}: {why}"
        for where, text in (("as info", self._info), ("on stderr", self._errors)):
            if text.strip():
                message += f" ({where}: {' '.join(text.split())[-_SHOWN_ERRORS:]})"
        self._end()
        return EngineError(message)

    def _gone(self) -> EngineError:
        assert self._process is not None
        try:
            code: object = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            code = None
        else:
            self._errors_reader.join(1.0)  # waits for the last messages; a child may keep the pipe open
        return self._failed("it closed its output" if code is None else f"it ended, exit code {code}")

    @staticmethod
    def _listen(process: subprocess.Popen[str], lines: _Lines) -> None:
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError, queue.Full):  # the engine died, or no caller reads
            while line := process.stdout.readline(_LONGEST_LINE):
                lines.put(line, timeout=_UNHEARD_S)
        with contextlib.suppress(queue.Full):
            lines.put_nowait(None)

    def _listen_to_errors(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        try:
            while line := process.stderr.readline(_LONGEST_LINE):
                self._errors = (self._errors + line)[-4 * _SHOWN_ERRORS :]
        except (OSError, ValueError):
            pass


_RUNNING: WeakSet[EngineBot] = WeakSet()
"""The bots whose engine runs."""


@atexit.register
def end_engines() -> None:
    """Close all engines of this process. Some engines ignore the end of their input and would outlive it."""
    for bot in list(_RUNNING):
        bot.close()


def _close(pipe: IO[str] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError:  # the engine no longer reads what is still to be written
        pass


def _short(line: str) -> str:
    return repr(line if len(line) <= 80 else line[:77] + "...")
