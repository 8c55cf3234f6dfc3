"""A game of nine cards and hands of two, small enough to be solved exactly, and a real one all the same.

The other cards of the pack lie on the table in melds that take no lay-off, or few, so that every count of
unseen cards, every view and every bot works as in any deal. What chance decides is who holds what and the
stock's order; all ways are equally likely. Information sets are a seat's view with its own past: the
views it had and what it did with each. The value is the margin in points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rum500 import State
from rum500.cards import cards_from_text, cards_text
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.engine.core import DRAW
from rum500.view import View
from tests.support.gametree import CHANCE, LEAF, Policy, Tree
from tests.support.table import table

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from rum500.bots import Bot

HAND = 2


@dataclass(frozen=True)
class Toy:
    """The nine cards, the pile to begin with (the rest is dealt), and the melds that hold all others."""

    live: str
    pile: str
    melds: tuple[str, ...]
    rules: str = "500-rum"

    def deals(self) -> Iterator[State]:
        """Every way to deal the hands, seat 0 to draw; the stock's order is left to the draws."""
        rest = cards_from_text(self.live)
        for card in cards_from_text(self.pile):
            rest.remove(card)
        for first in combinations(rest, HAND):
            left = [card for card in rest if card not in first]
            for second in combinations(left, HAND):
                stock = [card for card in left if card not in second]
                yield table(
                    self.rules,
                    [cards_text(first), cards_text(second)],
                    pile=self.pile,
                    stock=cards_text(stock),
                    melds=self.melds,
                    laid=[0] * 8,
                )


def fours(ranks: str) -> tuple[str, ...]:
    """All four of these ranks, each a set."""
    return tuple(f"{rank}S {rank}H {rank}D {rank}C" for rank in ranks.split())


_LIVE = "6S 7S 8S 6H 7H 8H 6D 7D 8D"
# Their clubs lie as a run that nothing fits; in the second table an 8S fits the run above it, and then a 7S.
_NOTHING_FITS = ("6C 7C 8C", *fours("A 2 3 4 5 9 10 J Q K"))
_SPADES_FIT = ("6C 7C 8C", "9S 10S JS", "9H 9D 9C", "10H 10D 10C", "JH JD JC", *fours("A 2 3 4 5 Q K"))
SMALL = Toy(_LIVE, "7H 6D 8S 8D", _NOTHING_FITS)
"""Thirty deals, one card to draw, no lay-offs: 617 information sets."""
LAYING = Toy(_LIVE, "8D 6S 7H 7D", _SPADES_FIT)
"""Thirty deals, one card to draw, spades that can be laid off: 2,050 information sets."""
LARGER = Toy(_LIVE, "6S 7H 6D", _NOTHING_FITS)
"""Ninety deals, two cards to draw, no lay-offs: 7,020 information sets."""


def after(state: State, code: int) -> list[State]:
    """The states after this action, all equally likely: a draw brings each card of the stock."""
    cards = state.stock if code == DRAW else ()
    results = []
    for card in cards or (None,):
        child = state.copy()
        if card is not None:
            others = list(cards)
            others.remove(card)
            child.core.set_stock([card, *others])
        child.apply_int(code)
        results.append(child)
    return results


def what_is_seen(view: View) -> Hashable:
    """All of a view but its rules, which never change."""
    return tuple(getattr(view, name) for name in view.__struct_fields__ if name != "rules")


@dataclass
class Grown:
    """A toy's whole tree, and the view of each information set."""

    tree: Tree
    views: list[View]
    numbers: dict[Hashable, int] = field(default_factory=dict)

    def past(self, *so_far: Hashable) -> int:
        """A number for this past of a seat."""
        return self.numbers.setdefault(so_far, len(self.numbers))


def grow(toy: Toy) -> Grown:
    """Follow every deal to every ending. Where there is but one thing to do, nobody decides."""
    grown = Grown(Tree(), [])
    root = grown.tree.add(-1, CHANCE)
    deals = list(toy.deals())
    for state in deals:
        _grow(grown, root, state, 1 / len(deals), (-1, -1))
    return grown


def _grow(grown: Grown, parent: int, state: State, chance: float, pasts: tuple[int, int]) -> None:
    tree = grown.tree
    if state.is_over:
        points = state.scores()
        tree.add(parent, LEAF, float(points[0] - points[1]), chance)
        return
    seat = state.actor
    view = state.view(seat)
    seen = what_is_seen(view)
    node = parent
    if len(view.legal) > 1:
        node, chance = tree.decide(parent, seat, (pasts[seat], seen), view.legal, chance), 1.0
        if tree.info[node] == len(grown.views):
            grown.views.append(view)
    for code in view.legal:
        past = grown.past(pasts[seat], seen, code)
        children = after(state, code)
        below = node
        if len(children) > 1:
            below, chance = tree.add(node, CHANCE, chance=chance), 1.0
        for child in children:
            now = (pasts[0], past) if seat else (past, pasts[1])
            _grow(grown, below, child, chance / len(children), now)


def by_view(grown: Grown, chances: Callable[[View], list[float]]) -> Policy:
    """The policy that these chances of `view.legal` make."""
    return [chances(view) for view in grown.views]


def uniform(view: View) -> list[float]:
    """Every action as likely as the others, as the random bot plays."""
    return [1 / len(view.legal)] * len(view.legal)


def uneven(view: View) -> list[float]:
    """Some actions likelier than others, by a rule that means nothing."""
    weights = [1 + (code + sum(view.hand) + view.stock) % 5 for code in view.legal]
    return [weight / sum(weights) for weight in weights]


def of_bot(bot: Bot, seeds: int = 1) -> Callable[[View], list[float]]:
    """What a bot does; by how many of so many seeds, where it leaves something to chance."""

    def chances(view: View) -> list[float]:
        found = [0.0] * len(view.legal)
        for seed in range(seeds):
            chosen: Any = bot.choose(view, Rng(seed))
            found[view.legal.index(code_of(chosen))] += 1 / seeds
        return found

    return chances
