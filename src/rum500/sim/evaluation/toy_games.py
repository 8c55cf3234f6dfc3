"""Toy games: deals of 500 Rum with nine live cards and hands of two, which can be solved exactly.

All other cards are on the table, in melds that allow no or few lay-offs, so that views and counts of cards
are as in any deal, and every bot can play. Chance decides the hands and the order of the stock; all cases are
equally likely. An information set is a seat's view together with its earlier views and actions. The value
is the margin of the points that are gained; points on the table at the start do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from rum500.bots import Bot
from rum500.cards import cards_from_text, cards_text
from rum500.external_bots import ask_bot
from rum500.rng import Rng
from rum500.rules.engine.core import DRAW
from rum500.sim.evaluation.game_tree import CHANCE, LEAF, Policy, Tree
from rum500.state import State
from rum500.view import View

HAND = 2
"""The number of cards in each hand."""
_POSITION = """\
rum500 position 1
profile: 500-rum
players: 2
dealer: 1
totals: 0 0
hand 0: {first}
hand 1: {second}
pile: {pile}
stock: {stock}
{melds}
turn: 0
phase: draw
"""


@dataclass(frozen=True)
class Toy:
    """A toy game."""

    live: str
    """The nine live cards."""
    pile: str
    """Those that are in the pile at the start, from the oldest to the top; the others are dealt."""
    melds: tuple[str, ...]
    """The melds on the table, with all other cards of the pack."""

    def deals(self) -> Iterator[State]:
        """Yield the deals with all possible hands, seat 0 to draw; draws decide the order of the stock."""
        rest = cards_from_text(self.live)
        for card in cards_from_text(self.pile):
            rest.remove(card)
        for first in combinations(rest, HAND):
            left = [card for card in rest if card not in first]
            for second in combinations(left, HAND):
                yield self._deal(first, second, [card for card in left if card not in second])

    def _deal(self, first: tuple[int, ...], second: tuple[int, ...], stock: list[int]) -> State:
        melds = [
            f"meld {number} by {number % 2}: {cards}{' at once' if len(cards.split()) > 3 else ''}"
            for number, cards in enumerate(self.melds, 1)
        ]
        text = _POSITION.format(
            first=cards_text(first),
            second=cards_text(second),
            pile=self.pile,
            stock=cards_text(stock),
            melds="\n".join(melds),
        )
        return State.from_text(text)


def _fours(ranks: str) -> tuple[str, ...]:
    """Return a meld with all four cards of each of these ranks."""
    return tuple(f"{rank}S {rank}H {rank}D {rank}C" for rank in ranks.split())


_LIVE = "6S 7S 8S 6H 7H 8H 6D 7D 8D"
# The clubs of these ranks are a run without lay-offs. In the second table 8S fits the run above, then 7S.
_NOTHING_FITS = ("6C 7C 8C", *_fours("A 2 3 4 5 9 10 J Q K"))
_SPADES_FIT = ("6C 7C 8C", "9S 10S JS", "9H 9D 9C", "10H 10D 10C", "JH JD JC", *_fours("A 2 3 4 5 Q K"))
SMALL = Toy(_LIVE, "7H 6D 8S 8D", _NOTHING_FITS)
"""Thirty deals, one card to draw, no lay-offs: 617 information sets."""
LAYING = Toy(_LIVE, "8D 6S 7H 7D", _SPADES_FIT)
"""Thirty deals, one card to draw, spades that can be laid off: 2,050 information sets."""
LARGER = Toy(_LIVE, "6S 7H 6D", _NOTHING_FITS)
"""Ninety deals, two cards to draw, no lay-offs: 7,020 information sets."""
TOYS = {"small": SMALL, "laying": LAYING, "larger": LARGER}
"""The toy games by name."""


def after(state: State, code: int) -> list[State]:
    """Return the deals after this action, all equally likely: a draw can bring each card of the stock."""
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
    """Return all of a view except its rules, which never change."""
    return tuple(getattr(view, name) for name in view.__struct_fields__ if name != "rules")


def margin(state: State, start: State) -> float:
    """Return the points that seat 0 has gained since `start` less those of seat 1; the deal is over."""
    points, laid = state.scores(), start.view(0).laid
    return float(points[0] - laid[0] - points[1] + laid[1])


@dataclass
class Grown:
    """The complete tree of a toy game, and the view of each information set."""

    tree: Tree
    views: list[View]
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def past(self, *so_far: Hashable) -> int:
        """Return a number for this past of a seat."""
        return self._numbers.setdefault(so_far, len(self._numbers))


def grow(toy: Toy) -> Grown:
    """Return the tree of a toy game. A node with only one legal action is not a decision."""
    grown = Grown(Tree(), [])
    root = grown.tree.add(-1, CHANCE)
    deals = list(toy.deals())
    for state in deals:
        _grow(grown, root, state, 1 / len(deals), (-1, -1), state)
    return grown


def _grow(
    grown: Grown, parent: int, state: State, chance: float, pasts: tuple[int, int], start: State
) -> None:
    tree = grown.tree
    if state.is_over:
        tree.add(parent, LEAF, margin(state, start), chance)
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
            _grow(grown, below, child, chance / len(children), now, start)


def by_view(grown: Grown, chances: Callable[[View], list[float]]) -> Policy:
    """Return the policy with these probabilities of `view.legal`."""
    return [chances(view) for view in grown.views]


def uniform(view: View) -> list[float]:
    """Return the same probability for every action, as the level `random` plays."""
    return [1 / len(view.legal)] * len(view.legal)


def of_bot(bot: Bot, seeds: int = 1) -> Callable[[View], list[float]]:
    """Return a function with the shares of a bot's choices in a view, over this number of seeds.

    The function raises `BotFailed` or `EngineError` if the bot fails.
    """

    def chances(view: View) -> list[float]:
        found = [0.0] * len(view.legal)
        for seed in range(seeds):
            found[view.legal.index(ask_bot(bot, view, Rng(seed)))] += 1 / seeds
        return found

    return chances
