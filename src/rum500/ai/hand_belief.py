"""Guesses at whole hands: how well does all that a seat did fit the cards it would have had?

`inference` weighs single cards. Here hands are weighed as they are: `ai/hand_sampler.py` plays the
course through with a guess's cards in the hands and asks policies how likely each draw, take, play and
discard was. That finds what belongs together, and it needs no training.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest

from rum500.ai.card_odds import ODDS_ONE, beliefs, course_of, opening
from rum500.ai.clues import ClueTracker
from rum500.ai.hand_sampler import HandSampler
from rum500.ai.known_deal import KnownDeal
from rum500.ai.policy import Policy
from rum500.ai.worlds import WEIGHT_ONE, Worlds
from rum500.rng import Rng
from rum500.view import View

WALKS = 8
"""So many walks begin apart, each with a deal that is drawn by the weights of single cards."""
AHEAD, STEP = 300, 20
"""Proposals before a walk's first guess, and between two of its guesses."""
MOST_GUESSES = 512
PLAIN = 15
"""Of each hundred deals so many are drawn as if nothing were told: players never do quite as believed."""
_FINER = ODDS_ONE // WEIGHT_ONE

Kinds = Callable[[], tuple[Policy, Policy]]
"""Makes the two kinds of player that are thought of, anew at each call: policies are not shared."""


class HandBelief:
    """What the course of a deal tells of the hands behind a view; threads change nothing but the time."""

    def __init__(self, view: View, kinds: Kinds, threads: int = 1) -> None:
        """Follow the course of the view's deal, if it is known, once for each thread.

        `ValueError` for a course that is not this deal's.
        """
        self._view = view
        self._walkers: list[HandSampler] = []
        if not _is_told(view):
            return
        assert view.seat is not None
        course_of(view)  # refuses what the walkers would trust
        for _ in range(min(threads, WALKS)):
            walker = HandSampler(ClueTracker(opening(view)), view.seat, *kinds())
            walker.run(view.past[1:])
            self._walkers.append(walker)

    def weigh(self, worlds: Worlds, seat: KnownDeal, seed: int, number: int) -> None:
        """Let these worlds, of the view's `known_deal`, be drawn as likely as they are.

        They come from about so many guesses, 512 at most; where none can be made, the weights of single cards
        remain. Some are drawn evenly all the same.
        """
        told, doubts = beliefs(self._view, seat)
        worlds.weigh([[row[card] // _FINER for row in told] + [0] for card in seat.unseen], PLAIN)
        worlds.doubt([doubt // _FINER for doubt in doubts])
        worlds.keep(self.guess(worlds, seed, number), PLAIN)

    def guess(self, worlds: Worlds, seed: int, number: int) -> bytes:
        """About so many guesses, 512 at most, as `Worlds.keep` takes them; fewer if they are stopped.

        Walks begin with what `worlds` draws. None, where the course does not tell of the cards.
        """
        threads = len(self._walkers)
        if threads < 2:
            parts = [self._walked(i, worlds, seed, number) for i in range(WALKS if threads else 0)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                shares = pool.map(
                    lambda first: [
                        self._walked(i, worlds, seed, number) for i in range(first, WALKS, threads)
                    ],
                    range(threads),
                )
                parts = [part for row in zip_longest(*shares, fillvalue=b"") for part in row]
        return b"".join(parts)

    def _walked(self, number: int, worlds: Worlds, seed: int, guesses: int) -> bytes:
        """One walk's guesses."""
        walker = self._walkers[number % len(self._walkers)]
        each = -(-min(guesses, MOST_GUESSES) // WALKS)
        return walker.guesses(worlds, Rng(seed).spawn(number).next64(), each, STEP, AHEAD)

    def stop(self) -> None:
        """End the guessing in progress, with what has been found; from any thread, at any moment."""
        for walker in self._walkers:
            walker.stop()


def _is_told(view: View) -> bool:
    """Whether the course of the view's deal is known, tells something, and holds no restock (H5)."""
    return view.seat is not None and len(view.past) > 1 and not view.restocked and not view.is_over
