"""A choice in the making, which another thread may end early."""

from __future__ import annotations

import contextlib
import threading

from rum500.bots._protocol import Bot
from rum500.rng import Rng
from rum500.rules.actions import Action
from rum500.view import View

_AGAIN_S = 0.01
"""A bot that is only about to begin cannot hear yet: after so long it is told again."""


class Choice:
    """One choice asked of a bot; a stop is for it alone, comes it before the bot begins or after it ended.

    A bot can be stopped if it has a method `stop`: called from another thread, it lets `choose` return with
    what it has. The others take the time they take.
    """

    def __init__(self, bot: Bot, view: View, chance: Rng) -> None:
        """Of this view; nothing begins yet."""
        self._bot, self._view, self._chance = bot, view, chance
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
