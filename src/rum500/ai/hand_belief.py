"""Samples of complete hidden hands, weighted by how well they explain what each seat did.

`card_odds` weighs single cards. This module weighs whole hands: `ai/hand_sampler.py` replays the deal with
sampled cards in the hands, and policies say how likely each draw, take, play and discard was. This captures
cards that belong together, and it needs no training.
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
"""The number of proposals before the first sample of a walk, and between two of its samples."""
MOST_GUESSES = 512
PLAIN = 15
"""The percentage of worlds drawn without evidence, because no player behaves exactly as modelled."""
_FINER = ODDS_ONE // WEIGHT_ONE

Kinds = Callable[[], tuple[Policy, Policy]]
"""A function that makes the two policies of opponents, new ones each time, because they cannot be shared."""


class HandBelief:
    """The evidence about hidden hands in the past actions of a deal. `threads` affects only the speed."""

    def __init__(self, view: View, kinds: Kinds, threads: int = 1) -> None:
        """Replay the view's deal once for each thread, if its hands can be sampled (`_is_supported`).

        Raises `ValueError` if the past actions do not lead to this view.
        """
        self._view = view
        self._walkers: list[HandSampler] = []
        if not _is_supported(view):
            return
        assert view.seat is not None
        course_of(view)  # raises `ValueError` for actions that the samplers would not check
        for _ in range(min(threads, WALKS)):
            walker = HandSampler(ClueTracker(opening(view)), view.seat, *kinds())
            walker.run(view.past[1:])
            self._walkers.append(walker)

    def weigh(self, worlds: Worlds, seat: KnownDeal, seed: int, number: int) -> None:
        """Make `worlds` follow the evidence. `seat` is the view's `known_deal`, and `worlds` are its worlds.

        Worlds are then drawn from about `number` samples of hands, at most 512. If there are no samples, they
        are drawn by the weights of single cards. `PLAIN` percent of the worlds ignore the evidence.
        """
        weigh_cards(worlds, seat, PLAIN)
        worlds.use_arrangements(self.guess(worlds, seed, number), PLAIN)

    def guess(self, worlds: Worlds, seed: int, number: int) -> bytes:
        """Return about `number` samples of hands, at most 512, for `Worlds.use_arrangements`.

        There are fewer samples after `stop`, and none if the past actions give no evidence. Each random walk
        begins with a deal from `worlds`.
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
        """End the current sampling; samples found so far are kept. May be called from any thread."""
        for walker in self._walkers:
            walker.stop()


def weigh_cards(worlds: Worlds, seat: KnownDeal, plain: int = 0) -> None:
    """Draw the worlds of a known deal by the odds of single cards, `plain` percent of them without."""
    odds, penalties = beliefs(seat.view, seat)
    worlds.set_weights([[row[card] // _FINER for row in odds] + [0] for card in seat.unseen], plain)
    worlds.set_ready_meld_penalties([penalty // _FINER for penalty in penalties])


def _is_supported(view: View) -> bool:
    """Return whether hands can be sampled.

    They can if the view is a seat's, the past actions are known, there was no restock (H5), and the deal is
    not over.
    """
    return view.seat is not None and len(view.past) > 1 and not view.restocked and not view.is_over
