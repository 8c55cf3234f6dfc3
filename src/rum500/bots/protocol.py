"""What a bot is: a name and a choice."""

from __future__ import annotations

import contextlib
import threading
from hashlib import blake2b
from typing import Protocol, runtime_checkable

from rum500.rng import U64, Rng
from rum500.rules.actions import Action
from rum500.view import View


@runtime_checkable
class Bot(Protocol):
    """A player: `choose` is asked whenever its seat has to decide.

    It gets what a person in that seat could know, and a generator of its own for whatever it leaves to
    chance: from the same views and the same seed come the same choices. One bot may be asked for several
    seats and several deals in any order, so that whatever it remembers must hang on the view.
    """

    name: str

    def choose(self, view: View, rng: Rng) -> Action | int:
        """One of `view.legal` (never empty here), or the action it stands for."""
        ...


class UnknownBot(ValueError):
    """There is no bot of this name; the message has the nearest one and all of them."""

    code = "bot.unknown"


def rng_for(seed: int, *keys: int) -> Rng:
    """A bot's generator in a deal of this seed; `keys` tell seats, or choices, apart.

    `Rng.spawn` can be run backwards: who is given a stream of the deal's own seed can deal the cards again
    and see them all. This goes by a hash, which cannot.
    """
    words = b"".join((number & U64).to_bytes(8, "little") for number in (seed, *keys))
    return Rng(int.from_bytes(blake2b(words, digest_size=8).digest(), "little"))


_AGAIN_S = 0.01
"""A bot that is only about to begin cannot hear yet: after so long it is told again."""


class StoppableChoice:
    """One choice asked of a bot; a stop is for it alone, comes it before the bot begins or after it ended.

    A bot can be stopped if it has a method `stop`: called from another thread, it lets `choose` return with
    what it has. The others take the time they take.
    """

    def __init__(self, bot: Bot, view: View, rng_for: Rng) -> None:
        """Of this view; nothing begins yet."""
        self._bot, self._view, self._chance = bot, view, rng_for
        self._over = threading.Event()
        self._ending = threading.Lock()

    def make(self) -> Action | int:
        """What the bot plays; whatever it raises."""
        try:
            return self._bot.choose(self._view, self._chance)
        finally:
            with self._ending:
                self._over.set()

    def stop(self) -> None:
        """Have it end soon, and wait until it has; a bot that cannot be stopped is not waited for."""
        stop = getattr(self._bot, "stop", None)
        while callable(stop) and not self._over.is_set():
            with self._ending:  # so that no stop comes late and ends the bot's next choice
                if not self._over.is_set():
                    with contextlib.suppress(Exception):  # whatever a bot raises
                        stop()
            self._over.wait(_AGAIN_S)
