"""Samples of complete hidden hands, weighted by how well they explain what each seat did.

`card_odds` weighs single cards. Here whole hands are weighed: `ai/hand_sampler.py` replays the course with
the sampled cards in the hands and asks policies how likely each draw, take, play and discard was. This
captures cards that belong together, and it needs no training.
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
"""The number of independent walks, each starting from a deal drawn by the weights of single cards."""
AHEAD, STEP = 300, 20
"""Proposals before the first sample of a walk, and between two of its samples."""
MOST_GUESSES = 512
PLAIN = 15
"""Percentage of deals that are drawn without evidence, because no player behaves exactly as modelled."""
_FINER = ODDS_ONE // WEIGHT_ONE

Kinds = Callable[[], tuple[Policy, Policy]]
"""Make the two policies of opponents. Each call makes new ones, because policies are not shared."""


class HandBelief:
    """The evidence on hidden hands in the course of a deal. Threads change only the computing time."""

    def __init__(self, view: View, kinds: Kinds, threads: int = 1) -> None:
        """Follow the course of the view's deal, if it is known, once for each thread.

        Raises `ValueError` if the course does not lead to this view.
        """
        self._view = view
        self._walkers: list[HandSampler] = []
        if not _is_supported(view):
            return
        assert view.seat is not None
        course_of(view)  # refuses what the walkers would trust
        for _ in range(min(threads, WALKS)):
            walker = HandSampler(ClueTracker(opening(view)), view.seat, *kinds())
            walker.run(view.past[1:])
            self._walkers.append(walker)

    def weigh(self, worlds: Worlds, seat: KnownDeal, seed: int, number: int) -> None:
        """Make these worlds, of the view's `known_deal`, as likely as the evidence says.

        They come from about `number` samples, at most 512. If there are none, the weights of single cards are
        used. Some worlds are drawn uniformly in any case.
        """
        odds, doubts = beliefs(self._view, seat)
        worlds.set_weights([[row[card] // _FINER for row in odds] + [0] for card in seat.unseen], PLAIN)
        worlds.set_ready_meld_penalties([doubt // _FINER for doubt in doubts])
        worlds.use_arrangements(self.guess(worlds, seed, number), PLAIN)

    def guess(self, worlds: Worlds, seed: int, number: int) -> bytes:
        """Return about `number` samples, at most 512, for `Worlds.use_arrangements`; fewer if stopped.

        Walks begin with draws from `worlds`. The result is empty if the course gives no evidence.
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
        walker = self._walkers[number % len(self._walkers)]
        each = -(-min(guesses, MOST_GUESSES) // WALKS)
        return walker.sample(worlds, Rng(seed).spawn(number).next64(), each, STEP, AHEAD)

    def stop(self) -> None:
        """End the current sampling, keeping what has been found. May be called from any thread."""
        for walker in self._walkers:
            walker.stop()


def _is_supported(view: View) -> bool:
    """Return whether the view's deal can be sampled: it has a course and no restock (H5), and is not over."""
    return view.seat is not None and len(view.past) > 1 and not view.restocked and not view.is_over
