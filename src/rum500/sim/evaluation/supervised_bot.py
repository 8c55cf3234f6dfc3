"""A bot of unknown quality under supervision: it may neither hang nor use up the memory."""

from __future__ import annotations

import os
import queue
import threading
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from rum500.bots import Bot
from rum500.external_bots import BotFailed, EngineBot, ask_bot, current_place
from rum500.rng import Rng
from rum500.sim.deals import FullInfoPlayer, seat_bot
from rum500.sim.players import player
from rum500.view import View

PATIENCE_S = 30.0
"""The default time limit of one choice, in seconds. It is for bots that hang, not for slow ones."""
MOST_MB = 1024
"""The default limit by which a bot's process may grow, in megabytes."""
_EVERY = 16
"""The memory is looked at once in this number of choices."""


class Limits(NamedTuple):
    """The limits of a supervised bot."""

    patience: float = PATIENCE_S
    """Seconds for one choice."""
    most_mb: int = MOST_MB
    """Megabytes by which the process may grow."""


USUAL = Limits()
"""The default limits."""


class SupervisedBot:
    """A bot by name, whose failures all become `BotFailed`: errors, illegal plays, hanging, leaking.

    It can be pickled. The bot itself is made at the first choice, once for each process.
    """

    def __init__(self, name: str, limits: Limits = USUAL) -> None:
        """Set the bot's name, as in any command, and the limits."""
        self.name = name
        self.limits = limits

    def choose(self, view: View, rng: Rng) -> int:
        """Return the code of the bot's choice. Raises `BotFailed`, or `EngineError` for an engine."""
        bot = player(self.name, seat_bot)
        assert not isinstance(bot, FullInfoPlayer)  # `seat_bot` makes none
        if isinstance(bot, EngineBot):
            bot.patience = self.limits.patience
            code = ask_bot(bot, view, rng)
        else:
            code = _THREAD.ask(self.name, bot, view, rng, self.limits.patience)
        _MEMORY.check(self.name, bot.process_id if isinstance(bot, EngineBot) else None, self.limits.most_mb)
        return code


class _Asked(NamedTuple):
    bot: Bot
    view: View
    rng: Rng


class _ChoiceThread:
    """A thread that makes the choices of this process's bots, and is abandoned if one never ends."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None

    def ask(self, name: str, bot: Bot, view: View, rng: Rng, seconds: float) -> int:
        """Return the code of a choice. Raises `BotFailed` if it fails or takes more than `seconds`."""
        if self._thread is None:
            self._asked: queue.SimpleQueue[_Asked] = queue.SimpleQueue()
            self._answers: queue.SimpleQueue[int | BaseException] = queue.SimpleQueue()
            self._thread = threading.Thread(
                target=_answer, args=(self._asked, self._answers), name="rum500-bot", daemon=True
            )
            self._thread.start()
        self._asked.put(_Asked(bot, view, rng))
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            where = current_place(self._thread.ident)
            self._thread = None  # Python cannot end it; it lasts as long as the process
            at = f" ({where})" if where else ""
            raise BotFailed(f"{name} hangs: it had not chosen after {seconds:g} s{at}") from None
        if isinstance(answer, BaseException):
            raise answer
        return answer


def _answer(asked: queue.SimpleQueue[_Asked], answers: queue.SimpleQueue[int | BaseException]) -> None:
    while True:
        bot, view, rng = asked.get()
        try:
            answers.put(ask_bot(bot, view, rng))
        except BaseException as error:  # noqa: BLE001 - it is raised where the choice was asked for
            answers.put(error)


class _Memory:
    """The growth of processes since the first choice of their bot."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, int], int] = {}
        self._choices: Counter[tuple[str, int]] = Counter()

    def check(self, name: str, process: int | None, most_mb: int) -> None:
        """Raise `BotFailed` if the bot's process has grown by more than `most_mb` since its first choice."""
        process = process or os.getpid()
        key = name, process
        self._choices[key] += 1
        if self._choices[key] % _EVERY != 1:
            return
        now = _resident_mb(process)
        grown = now - self._first.setdefault(key, now)
        if grown > most_mb:
            raise BotFailed(
                f"{name} leaks memory: {grown:,} MB more than at its first choice, after "
                f"{self._choices[key]:,} choices, and at most {most_mb:,} are allowed"
            )


def _resident_mb(process: int) -> int:
    """Return the memory of a process in megabytes; 0 where the system does not list it in /proc."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


_THREAD = _ChoiceThread()
_MEMORY = _Memory()
