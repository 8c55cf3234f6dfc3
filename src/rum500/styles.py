"""Three styles of play besides the levels, as plain bots: a rusher, a memoriser and a denier.

They are opponents of `rum500 evaluate`, so that a bot that is tuned against the levels alone does not look
better than it is. They have no options, and never change within a version of the evaluation's protocol. In
any command a style is named as a class: `rum500 arena --bots rum500.styles:Denier,club`.

>>> from rum500 import deal
>>> from rum500.styles import STYLES
>>> state = deal("500-rum", players=2, seed=7)
>>> [style.name for style in STYLES]
['rusher', 'memoriser', 'denier']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rum500 import bots
from rum500.ai import expected
from rum500.bots import FastBot
from rum500.bots.hand_analysis import HandAnalysis, counts
from rum500.cards import ACE_HIGH, LANE, rank_of, suit_of
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind, code_of, discarded_card, take_code
from rum500.rules.actions import Action, ActionKind
from rum500.rules.engine.core import DRAW
from rum500.search import rollouts
from rum500.view import Phase, View

__all__ = ["STYLES", "Denier", "Memoriser", "Rusher"]


class Rusher(FastBot):
    """A bot that searches as if all players lay whatever they can.

    It tries its plays in `WORLDS` deals that agree with its view, then the better half in twice as many, and
    so on. It fears sudden ends more than the levels do, whose searches hold melds back too.
    """

    name = "rusher"
    WORLDS = 8
    """The number of deals in which all plays are tried."""

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the play with the best mean margin."""
        plays, count = view.candidates(), self.WORLDS
        while len(plays) > 1:
            worlds = view.worlds(rng, count)

            def margin(play: Action) -> float:
                results = rollouts(worlds, "lays", after=play, kind="margin")  # noqa: B023 - used at once
                return sum(result[view.seat or 0] for result in results)

            plays = sorted(plays, key=margin, reverse=True)[: len(plays) // 2]
            count *= 2
        return code_of(plays[0])


class Memoriser(FastBot):
    """A bot that draws and lays like `club`, and discards by what it remembers of all past plays.

    For each card it computes, from everything that was taken, left and thrown, how likely the others hold
    the cards that make a meld with it.
    """

    name = "memoriser"
    CARE = 5.0
    """The weight of points that others gain by a discard, relative to points that the hand loses."""

    def __init__(self) -> None:
        self._club = bots.get("club")

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the choice of `club`, or if that is a discard, the discard with the least loss."""
        code = self._club.choose_int(view, rng)
        if action_kind(code) is not ActionKind.DISCARD:
            return code
        reading = HandAnalysis(view)
        held = _held_by_others(view)

        def cost(card: int, have: list[int]) -> float:
            return reading.loss(card, have) + self.CARE * _gain(reading, card, held)

        return _least(view, cost)


class Denier(FastBot):
    """A bot whose first aim is that the others get nothing.

    It discards the cards that the others can use least, at a loss to its own hand, and takes the top of the
    pile if the others could lay it off. Otherwise it plays like `club`.
    """

    name = "denier"
    CARE = 8.0
    """The weight of points that others gain by a discard, relative to points that the hand loses."""

    def __init__(self) -> None:
        self._club = bots.get("club")

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the choice of `club` unless another play denies more."""
        if len(view.legal) == 1:
            return view.legal[0]
        reading = HandAnalysis(view)
        code = self._club.choose_int(view, rng)
        if view.phase is Phase.DRAW:
            top = take_code(1)
            return top if code == DRAW and top in view.legal and reading.fits[view.pile[-1]] else code
        if action_kind(code) is not ActionKind.DISCARD:
            return code
        return _least(view, lambda card, have: reading.loss(card, have) + self.CARE * reading.gift(card))


STYLES: tuple[type[FastBot], ...] = (Rusher, Memoriser, Denier)
"""The styles."""


def _least(view: View, cost: Callable[[int, list[int]], float]) -> int:
    """Return the legal discard with the least cost, a function of the card and the counts of the hand."""
    have = counts(view.hand)
    discards = [code for code in view.legal if action_kind(code) is ActionKind.DISCARD]
    return min(discards, key=lambda code: cost(discarded_card(code), have))


def _held_by_others(view: View) -> list[float]:
    """Return, by card code, the chance that the most likely other player holds the card."""
    held = [0.0] * 64
    for seat, cards in enumerate(expected(view)):
        if seat != view.seat:
            for card, share in cards.items():
                held[card] = max(held[card], min(1.0, share))
    return held


def _gain(reading: HandAnalysis, card: int, held: Sequence[float]) -> float:
    """Return the points that others gain by this discard on average: by lay-offs, or by melds with it."""
    if reading.fits[card] or rank_of(card) > ACE_HIGH:
        return float(reading.held[card])
    rank, suit = rank_of(card), suit_of(card)
    mates = [held[LANE * other + rank] for other in range(4) if other != suit]
    chance = mates[0] * mates[1] + mates[0] * mates[2] + mates[1] * mates[2]
    near = [held[LANE * suit + at] if 0 <= (at := rank + step) < ACE_HIGH else 0.0 for step in (-2, -1, 1, 2)]
    chance += near[0] * near[1] + near[1] * near[2] + near[2] * near[3]
    return min(1.0, chance) * (reading.held[card] + 15)
