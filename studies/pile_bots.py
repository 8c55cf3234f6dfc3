"""Bots that play as `club` but leave the pile alone, or take its top card at most."""

from __future__ import annotations

import rum500
from rum500 import bots


class _Shy:
    """Plays as `club`; where that would take more than `most` cards, it does what is left."""

    name = "shy"
    most = 0

    def __init__(self) -> None:
        self.club = bots.get("club")

    def choose(self, view: rum500.View, rng: rum500.Rng) -> int:
        """Return the code of an action."""
        code = self.club.choose(view, rng)
        if self._refuses(code):
            # A draw comes first; with an empty stock a pass or the end of the deal, or letting a call go.
            return next((other for other in view.legal if not self._refuses(other)), code)
        return code

    def _refuses(self, code: int) -> bool:
        match rum500.decode(code):
            case rum500.Take(count) | rum500.Call(count):
                return count > self.most
        return False


class NeverTakes(_Shy):
    """Never takes from the pile."""

    name = "never takes"


class TopOnly(_Shy):
    """Takes the top discard at most."""

    name = "top only"
    most = 1
