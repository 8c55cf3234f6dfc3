"""Random deals that a seat cannot tell from a given one, weighted by the seat's belief about hidden cards."""

from __future__ import annotations

from typing import Literal, get_args

from rum500.ai.hand_belief import HandBelief, weigh_cards
from rum500.ai.heuristic_levels import policy
from rum500.ai.known_deal import KnownDeal, known_deal
from rum500.ai.policy import Policy
from rum500.ai.worlds import Worlds
from rum500.rng import Rng
from rum500.state import State

Belief = Literal["even", "odds", "hands"]
"""What a seat believes about hidden cards: nothing, the odds of single cards, or whole hands that explain the
others' plays.
"""
BELIEFS: tuple[str, ...] = get_args(Belief)
_TRIES = 1000


def resample(state: State, seat: int, rng: Rng, belief: Belief = "hands") -> State:
    """Return another deal that this seat cannot tell from this one, as likely as the belief says.

    The belief `even` gives the same results as `State.resample`. A `Resampler` is faster for several deals.
    Raises `ValueError` as `State.resample` does.

    >>> from rum500 import Rng, deal, ruleset
    >>> state = deal(ruleset("500-rum"), players=2, seed=7)
    >>> resample(state, 0, Rng(1), "odds").view(0) == state.view(0)
    True
    """
    return Resampler(state, seat, belief).state(rng)


class Resampler:
    """Random deals that one seat cannot tell from a given one. The evidence is collected only once."""

    def __init__(self, state: State, seat: int, belief: Belief = "hands", samples: int = 64) -> None:
        """Collect the evidence in the past actions of a deal. `samples` is the number of samples of whole
        hands.

        The given deal must not be changed while the resampler is in use.
        """
        check_belief(belief)
        self._state = state
        self._seat = seat
        self._worlds: Worlds | None = None
        if belief != "even" and not state.is_over:
            view = state.view(seat)
            self._worlds = believed_worlds(known_deal(view), belief, samples, view.number)

    def state(self, rng: Rng) -> State:
        """Return one deal.

        If many tries by the belief give no deal to which the past actions could lead, the deal is drawn with
        all deals equally likely.
        """
        if self._worlds is not None:
            for _ in range(_TRIES):
                found = self._state.resample_to(self._seat, self._worlds.world(rng.next64()))
                if found is not None:
                    return found
        return self._state.resample(self._seat, rng)


def check_belief(belief: str) -> None:
    """Raise `ValueError` for an unknown belief."""
    if belief not in BELIEFS:
        raise ValueError(f"beliefs are {', '.join(BELIEFS)}, not {belief!r}")


def believed_worlds(known: KnownDeal, belief: Belief, samples: int, seed: int) -> Worlds:
    """Return random deals that agree with a known deal, as likely as the belief says.

    The belief `hands` draws about `samples` samples of whole hands, which follow from the seed. Raises
    `ValueError` for an unknown belief.
    """
    check_belief(belief)
    worlds, view = known.worlds(), known.view
    if belief == "hands":
        rules, players = view.rules, view.players
        hands = HandBelief(view, lambda: (policy(rules, players), Policy([])))
        hands.weigh(worlds, known, seed, samples)
    elif belief == "odds":
        weigh_cards(worlds, known)
    return worlds
