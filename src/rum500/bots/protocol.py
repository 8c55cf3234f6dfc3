"""The interface of bots: a name, and a method that chooses."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from hashlib import blake2b
from typing import Protocol, runtime_checkable

from rum500.rng import U64, Rng, checked_seed
from rum500.rules.action_codes import decode
from rum500.rules.actions import Action, with_text
from rum500.view import View


@runtime_checkable
class Bot(Protocol):
    """A bot. `choose` is called whenever a seat that it plays has to decide.

    The view has what a person in that seat could know. All random choices must use the generator: the same
    views and the same seed must lead to the same choices. One bot may play several seats and several deals
    in any order, so anything that it remembers must depend only on the view.
    """

    name: str

    def choose(self, view: View, rng: Rng) -> Action | int:
        """Return an action of `view.legal`, which is not empty, as its code or as an `Action`."""
        ...


class FastBot(ABC):
    """The base class of bots that choose codes. A subclass has a name and `choose_int`.

    >>> import rum500
    >>> state = rum500.deal("500-rum", seed=7)
    >>> rum500.bots.get("club").choose(state.view(state.actor))
    draw
    """

    name: str

    @abstractmethod
    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the code of the choice, one of `view.legal`. This is the fast form of `choose`."""

    def choose(self, view: View, rng: Rng | None = None) -> Action:
        """Return the choice as an action. Without a generator the same view leads to the same choice.

        Raises `ValueError` if the seat of the view has nothing to decide.
        """
        if not view.legal:
            raise ValueError(f"seat {view.seat} has nothing to decide")
        chance = rng_for(*view.past, view.seat or 0) if rng is None else rng
        return with_text(decode(self.choose_int(view, chance)), view)


def choice_of(bot: Bot, view: View, rng: Rng) -> Action | int:
    """Return a bot's choice, in the fast form if it has one."""
    if isinstance(bot, FastBot) and type(bot).choose is FastBot.choose:
        return bot.choose_int(view, rng)
    return bot.choose(view, rng)


class UnknownBot(ValueError):
    """An unknown name of a bot. The message lists the most similar name and all names."""

    code = "bot.unknown"


def rng_for(seed: int, *keys: int) -> Rng:
    """Return a bot's random generator for a deal of this seed; `keys` distinguish seats or choices.

    `Rng.spawn` is reversible: from a stream of the deal's own seed a bot could compute the whole deal. This
    function uses a one-way hash.
    """
    words = b"".join((number & U64).to_bytes(8, "little") for number in (checked_seed(seed), *keys))
    return Rng(int.from_bytes(blake2b(words, digest_size=8).digest(), "little"))


_AGAIN_S = 0.01
"""How often `stop` is repeated, in seconds, for a bot that may not have started yet."""


class StoppableChoice:
    """One requested choice of a bot, which another thread can cut short.

    `stop` affects only this choice, even if called before the bot has started or after it has finished. A
    bot can be stopped if it has a method `stop` that makes `choose` return early when called from another
    thread. Other bots take the time they need.
    """

    def __init__(self, bot: Bot, view: View, rng: Rng) -> None:
        """Prepare a choice in this view, with this random generator."""
        self._bot, self._view, self._chance = bot, view, rng
        self._over = threading.Event()
        self._ending = threading.Lock()

    def make(self) -> Action | int:
        """Return the bot's choice. Exceptions of the bot pass through."""
        try:
            return choice_of(self._bot, self._view, self._chance)
        finally:
            with self._ending:
                self._over.set()

    def stop(self) -> None:
        """Stop the bot and wait until it has chosen; if the bot has no `stop`, return at once."""
        stop = getattr(self._bot, "stop", None)
        while callable(stop) and not self._over.is_set():
            with self._ending:  # a late stop must not end the bot's next choice
                if not self._over.is_set():
                    with contextlib.suppress(Exception):  # a bot may raise anything
                        stop()
            self._over.wait(_AGAIN_S)
