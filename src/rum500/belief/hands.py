"""Guesses at whole hands: how well does all that a seat did fit the cards it would have had?

`inference` weighs single cards. Here hands are weighed as they are: `rules/engine/hindsight.py` plays the
course through with a guess's cards in the hands and asks policies how likely each draw, take, play and
discard was. That finds what belongs together, and it needs no training.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from rum500.belief.inference import opening
from rum500.rng import Rng
from rum500.rules.engine.club import Policy
from rum500.rules.engine.course import Course
from rum500.rules.engine.hindsight import Hindsight
from rum500.rules.engine.worlds import Worlds
from rum500.view import View

WALKS = 8
"""So many walks begin apart, each with a deal that is drawn by the weights of single cards."""
AHEAD, STEP = 300, 20
"""Proposals before a walk's first guess, and between two of its guesses."""
MOST_GUESSES = 512

Kinds = Callable[[], tuple[Policy, Policy]]
"""Makes the two kinds of player that are thought of, anew at each call: policies are not shared."""


class Hands:
    """Guesses at the hands behind a view, made by several threads, which change nothing else."""

    def __init__(self, view: View, kinds: Kinds, threads: int = 1) -> None:
        """Follow the course of the view's deal, which must be known, once for each thread."""
        assert view.seat is not None
        self._walkers = []
        for _ in range(min(threads, WALKS)):
            walker = Hindsight(Course(opening(view)), view.seat, *kinds())
            walker.run(view.past[1:])
            self._walkers.append(walker)

    def guess(self, worlds: Worlds, seed: int, number: int) -> bytes:
        """About so many guesses, 512 at most, as `Worlds.keep` takes them; fewer if they are stopped.

        None, where the course does not tell of the cards.
        """
        each = -(-min(number, MOST_GUESSES) // WALKS)
        step = len(self._walkers)

        def share(first: int) -> dict[int, bytes]:
            walk = self._walkers[first].guesses
            return {
                i: walk(worlds, Rng(seed).spawn(i).next64(), each, STEP, AHEAD)
                for i in range(first, WALKS, step)
            }

        if step == 1:
            found = share(0)
        else:
            with ThreadPoolExecutor(step) as pool:
                found = {i: got for part in pool.map(share, range(step)) for i, got in part.items()}
        return b"".join(found[i] for i in range(WALKS))

    def stop(self) -> None:
        """End the guessing in progress, with what has been found; from any thread, at any moment."""
        for walker in self._walkers:
            walker.stop()


def told_by(view: View) -> bool:
    """Whether the course of the view's deal is known, tells something, and holds no restock (H5)."""
    return view.seat is not None and len(view.past) > 1 and not view.restocked and not view.is_over
