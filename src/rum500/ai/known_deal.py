"""From a view to the engine's own form of it, and to deals that look like it from this seat."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.ai.worlds import Worlds
from rum500.cards import JOKER, LANE
from rum500.rng import Rng
from rum500.rules.engine.core import MAX_SEATS, Core
from rum500.state.position_data import core_of, facts_of_view
from rum500.view import View

_CODES = JOKER + 1


@dataclass(frozen=True, slots=True)
class KnownDeal:
    """A deal as one seat knows it.

    `core` is the deal with every number right that the seat knows: others' hands hold only the cards known
    to be there, but `hn` counts them whole, and the stock holds so many cards of no meaning. `unseen` are
    the codes of the cards that lie in others' hands or in the stock, the first `bound` of them (sorted) in
    hands for certain, since they were not in the pile that became the stock (H5), the rest (sorted)
    anywhere. `room[s]` of them are in seat s's hand, `stock` in the stock.
    """

    core: Core
    unseen: tuple[int, ...]
    bound: int
    room: tuple[int, ...]
    stock: int

    def worlds(self) -> Worlds:
        """The deals that agree with it, to be drawn by number."""
        return Worlds(self.core, self.unseen, self.bound, self.room)


def known_deal(view: View) -> KnownDeal:
    """A seat's view (a spectator's too) as the engine has it."""
    facts = facts_of_view(view)
    facts.stock = [0] * view.stock
    core = core_of(facts)
    core.hn = [*view.hand_sizes, *[0] * (MAX_SEATS - view.players)]
    room = tuple(size - len(hand) for size, hand in zip(facts.sizes, facts.hands, strict=True))
    bound, free = _unseen(view, facts.hands)
    return KnownDeal(core, (*bound, *free), len(bound), room, view.stock)


def sample(view: View, rng: Rng, worlds: int) -> list[Core]:
    """So many deals that agree with a view, all that do being equally likely.

    >>> from rum500 import deal, ruleset
    >>> view = deal(ruleset("500-rum"), 2, seed=7).view(1)
    >>> [world.hn[:2] for world in sample(view, Rng(1), 2)]
    [[13, 13], [13, 13]]
    """
    drawn = known_deal(view).worlds()
    return [drawn.world(rng.next64()) for _ in range(worlds)]


def _unseen(view: View, hands: list[list[int]]) -> tuple[list[int], list[int]]:
    """The unseen cards: those that cannot lie in the stock, and the others."""
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
