"""Conversion of a view to the engine's form, and to random deals that agree with the view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rum500.ai.worlds import Worlds
from rum500.cards import JOKER, LANE
from rum500.rng import Rng
from rum500.rules.engine.core import MAX_SEATS, Core
from rum500.state.position_data import core_of, data_of_view
from rum500.view import View

_CODES = JOKER + 1


@dataclass(frozen=True, slots=True)
class KnownDeal:
    """A deal as one seat knows it."""

    view: View
    """What the seat knows."""
    core: Core = field(compare=False, repr=False)
    """The deal, with every known number correct. Other hands contain only known cards, but `hn` has their
    full sizes. The stock has the right number of cards, whose codes mean nothing.
    """
    unseen: tuple[int, ...]
    """The codes of the cards in other hands or in the stock: `bound` cards sorted, then the rest sorted."""
    bound: int
    """How many unseen cards must be in hands because they were not in the pile that became the stock (H5)."""
    room: tuple[int, ...]
    """Per seat, the number of unseen cards in its hand."""
    stock: int
    """The number of unseen cards in the stock."""

    def __reduce__(self) -> tuple[Callable[[View], KnownDeal], tuple[View]]:
        """Pickle the view, from which all the rest follows."""
        return known_deal, (self.view,)

    def worlds(self) -> Worlds:
        """Return the random deals that agree with the known deal."""
        return Worlds(self.core, self.unseen, self.bound, self.room)


def known_deal(view: View) -> KnownDeal:
    """Return the engine's form of a view. The view may be a spectator's."""
    data = data_of_view(view)
    data.stock = [0] * view.stock
    core = core_of(data)
    core.hn = [*view.hand_sizes, *[0] * (MAX_SEATS - view.players)]
    room = tuple(size - len(hand) for size, hand in zip(data.sizes, data.hands, strict=True))
    bound, free = _unseen(view, data.hands)
    return KnownDeal(view, core, (*bound, *free), len(bound), room, view.stock)


def sample(view: View, rng: Rng, worlds: int) -> list[Core]:
    """Return `worlds` random deals that agree with a view, all equally likely.

    >>> from rum500 import deal, ruleset
    >>> view = deal(ruleset("500-rum"), 2, seed=7).view(1)
    >>> [world.hn[:2] for world in sample(view, Rng(1), 2)]
    [[13, 13], [13, 13]]
    """
    drawn = known_deal(view).worlds()
    return [drawn.world(rng.next64()) for _ in range(worlds)]


def _unseen(view: View, hands: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return the unseen cards in two lists: those that cannot be in the stock, and the others.

    `hands` has the known cards of each hand.
    """
    packs = view.rules.packs(view.players)
    left = [packs if code % LANE < 13 and code < 4 * LANE else 0 for code in range(_CODES)]
    left[JOKER] = view.rules.jokers * packs
    for hand in hands:
        for card in hand:
            left[card] -= 1
    for card in view.pile:
        left[card] -= 1
    for meld in view.melds:
        for placed in meld.cards:
            left[placed.card] -= 1
    if not view.restocked:
        return [], [code for code in range(_CODES) for _ in range(left[code])]
    stocked = [0] * _CODES
    for card in view.restocked:
        stocked[card] += 1
    bound = [code for code in range(_CODES) for _ in range(left[code] - stocked[code])]
    free = [code for code in range(_CODES) for _ in range(min(left[code], stocked[code]))]
    return bound, free
