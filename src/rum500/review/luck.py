"""Luck: what the hands dealt and the cards drawn are worth, computed after the deal with all hands known.

The value V of a position is the mean of the final points over orders of the stock, when all seats play on
with their true hands. Each seat plays like `club` or like `casual`, whichever its play in other deals
resembles more. The luck of a draw is V after the draw, less V before it. Given the hands and the past
actions, each card of the stock is equally likely to be drawn, and V does not depend on the stock's order. So
the luck of a draw has mean 0 for all players, however good V is. With few cards in the stock all orders are
played, and the mean over the cards that could come is exactly 0.

What counts as luck:
- the deal: the hands and the upcard together, compared with the mean for the seat's place after the dealer;
- every card drawn from the stock, also from a new stock made of the pile (H5), whose order is random too;
- nothing else. Taking from the pile, calling (H6), free upcards and all other plays are choices among cards
  that all know. What a play gains or loses through hidden cards is not chance of the stock: see `hindsight`.

As long as all seats act like their kinds, V after one draw is V before the next, so it is measured once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rum500.ai.outcomes import Outcomes
from rum500.ai.policy_deals import club_deals
from rum500.ai.search import Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.cards import card_text
from rum500.review.played_deal import KINDS, PlayedDeal, Task, margins, measure_by_kinds, seated
from rum500.review.stakes import Stakes, stakes
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.values import whole_number

ORDERS = 192
"""The number of orders of the stock over which a value is averaged."""
MOST_ORDERS = 65_536
"""The largest allowed number of orders."""
MEAN_SEATS = 16_384
"""The number of hands from which the mean of a place is measured: with two players, 8,192 deals."""
_STREAM = 0x4C75636B31
_MEAN_SEED = 500
_LEAD = 3  # how many values of `club_deals` precede the points


@dataclass(frozen=True, slots=True)
class DrawLuck:
    """A card drawn from the stock, and the luck in it."""

    number: int
    """The number of the action in the deal, from 1."""
    seat: int
    """The seat that drew."""
    turn: int
    """The number of that seat's turn in the deal, from 1."""
    card: int
    """The card."""
    gains: tuple[Fraction, ...]
    """The points that the card added to the expected margin, by seat, before multiplying by the factor."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with the gain of the seat that drew."""
        return {
            "play": self.number,
            "seat": self.seat,
            "turn": self.turn,
            "card": card_text(self.card),
            "value": round(float(self.gains[self.seat]), 2),
        }


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """The expected result after an action, with all hands known and the order of the stock unknown."""

    number: int
    """The number of the action in the deal, from 1; 0 is the position after dealing."""
    margins: tuple[Fraction, ...]
    """The mean margin at the end of the deal, by seat; see `margins`."""
    chances: tuple[float, ...] | None
    """The chance to win the match, 0 to 1, by seat; None if only points count in this deal."""


@dataclass(frozen=True, slots=True)
class DealLuck:
    """The luck in a deal, before it is multiplied by the factors (`luck_factors`). Tuples of numbers are
    margins by seat; see `margins`.
    """

    deal: int
    """The number of the deal in the record, from 1."""
    place: tuple[Fraction, ...]
    """The mean margin of each seat, by its place after the dealer, before the cards are dealt, if all seats
    play like `club`.
    """
    mean: tuple[Fraction, ...]
    """The same mean margin if each seat plays like its kind; `dealt` is measured from it."""
    dealt: tuple[Fraction, ...]
    """The points that the hands and the upcard added."""
    draws: tuple[DrawLuck, ...]
    """The cards drawn from the stock, in order."""
    hindsight: tuple[Fraction, ...]
    """The points added by plays that differ from the plays of the seat's kind, judged with all hands open.

    In a finished deal, `mean`, `dealt`, the gains of all draws and `hindsight` add up to the margin exactly.
    """
    course: tuple[CoursePoint, ...]
    """The expected results in order: after dealing, after each draw, and at the end of a finished deal. The
    result before a draw is added if plays, or a change of a seat's kind, have changed the previous result.
    """

    def drawn(self, drawer: int, seat: int) -> Fraction:
        """Return how much the draws of `drawer` added to the margin of `seat`, without the factor."""
        return sum((draw.gains[seat] for draw in self.draws if draw.seat == drawer), Fraction())

    def luckiest(self, seat: int) -> DrawLuck | None:
        """Return the draw that gained its seat the most; None if the seat drew no card.

        The first draw counts if several gained equally.
        """
        own = [draw for draw in self.draws if draw.seat == seat]
        return max(own, key=lambda draw: draw.gains[seat], default=None)

    def unluckiest(self, seat: int) -> DrawLuck | None:
        """Return the draw that gained its seat the least; None if the seat drew no card.

        The first draw counts if several gained equally.
        """
        own = [draw for draw in self.draws if draw.seat == seat]
        return min(own, key=lambda draw: draw.gains[seat], default=None)


def luck_of_deal(
    played: PlayedDeal, kinds: Sequence[str] = (), *, orders: int = ORDERS, threads: int = 1
) -> DealLuck:
    """Measure the luck in a deal, which need not be finished.

    `kinds` has the kind of player (`KINDS`) that each seat is taken for; by default all are `club`. They must
    not depend on this deal's cards. Values are means over `orders` orders of the stock. Raises `ValueError`
    if `orders` or `threads` is out of range.
    """
    rules, players, choices = played.rules, played.final.players, played.choices
    kinds = tuple(kinds) or KINDS[:1] * players
    orders = whole_number("the number of orders of the stock", orders, 1, MOST_ORDERS)
    seeds = (played.seed(_STREAM, number) for number in range(2 * len(choices) + 3))
    start = choices[0].before.core if choices else played.final.core
    worth = _Worth(rules, stakes(played.final.view(0)))
    tasks = [(kinds, _value(start, False, next(seeds), orders, worth))]
    draws = [i for i, choice in enumerate(choices) if action_kind(choice.played) is ActionKind.DRAW]
    # Draws before which V is measured again, because a play, or a seat's kind, differs from V's assumptions.
    again: set[int] = set()
    shown, now, last = played.kinds_shown(kinds), kinds, 0
    for index in draws:
        like = all(choice.is_like(now[choice.before.actor]) for choice in choices[last : index + 1])
        if not like or shown[index] != now:
            again.add(index)
            now = shown[index]
            tasks.append((now, _value(choices[index].before.core, True, next(seeds), orders, worth)))
        tasks.append((now, _value(played.after(index).core, False, next(seeds), orders, worth)))
        last = index + 1
    if played.final.is_over:
        tasks.append((now, _value(played.final.core, False, next(seeds), 1, worth)))
    values = iter(measure_by_kinds(tasks, rules, threads))
    totals, dealer = played.final.totals, played.final.dealer
    mean = mean_margins(rules, kinds, totals, dealer)
    place = mean_margins(rules, KINDS[:1] * players, totals, dealer)
    course = [_point(0, next(values))]
    dealt = _difference(course[0].margins, mean)
    hindsight = (Fraction(),) * players
    found = []
    for index in draws:
        number = choices[index].number
        if index in again:
            before = _point(number - 1, next(values))
            hindsight = _sum(hindsight, _difference(before.margins, course[-1].margins))
            course.append(before)
        after = _point(number, next(values))
        found.append(_draw(played, index, _difference(after.margins, course[-1].margins)))
        course.append(after)
    if played.final.is_over:
        end = _point(len(choices), next(values))
        hindsight = _sum(hindsight, _difference(end.margins, course[-1].margins))
        course.append(end)
    return DealLuck(played.number, place, mean, dealt, tuple(found), hindsight, tuple(course))


@dataclass(frozen=True, slots=True)
class _Worth:
    """The rules and the stakes of a deal, which determine the values of its positions."""

    rules: Ruleset
    stakes: Stakes

    def evaluator(self, core: Core) -> SearchWorker:
        """Return a search worker that computes the seats' chances to win. Each thread needs its own."""
        task = Search(Worlds(core, (), 0, (0,) * core.n), 0, ())
        self.stakes.apply(task)
        return SearchWorker(task, None)


_Value = tuple[tuple[Fraction, ...], tuple[float, ...] | None]


def _point(number: int, value: _Value) -> CoursePoint:
    return CoursePoint(number, *value)


def _value(core: Core, drawing: bool, seed: int, orders: int, worth: _Worth) -> Task[_Value]:
    """Return the task of measuring a position's margins and chances; if `drawing`, the actor draws first."""

    def value(outcomes: Outcomes) -> _Value:
        if worth.stakes.kind == "points":
            points, count = outcomes.value(core, int(drawing), seed, orders)
            chances = None
        else:
            winner = worth.evaluator(core)
            points, sums, count = outcomes.value_and_chances(core, int(drawing), seed, orders, winner)
            chances = tuple(chance / (1000 * count) for chance in sums)
        return tuple(margin / count for margin in margins(points, worth.rules)), chances

    return value


def _draw(played: PlayedDeal, index: int, gains: tuple[Fraction, ...]) -> DrawLuck:
    choice = played.choices[index]
    seat = choice.before.actor
    turn = sum(_begins_turn(earlier.played, earlier.before.actor, seat) for earlier in played.choices[:index])
    return DrawLuck(choice.number, seat, turn + 1, played.after(index).core.drawn, gains)


def _begins_turn(code: int, actor: int, seat: int) -> bool:
    kinds = (ActionKind.DRAW, ActionKind.TAKE, ActionKind.CALL, ActionKind.PASS)
    return actor == seat and action_kind(code) in kinds


def mean_margins(
    rules: Ruleset, kinds: Sequence[str], totals: Sequence[int], dealer: int
) -> tuple[Fraction, ...]:
    """Return the mean margin of each seat, before the cards are dealt, if each seat plays like its kind.

    The means are measured with fixed seeds, once in a process for each rule set, kinds and totals. `totals`
    matter only if reaching the target ends the match at once (D14).
    """
    players, at_once = len(kinds), rules.match_end == "at_once"
    turned = [(place + dealer) % players for place in range(players)]
    by_place = tuple(totals[seat] if at_once else 0 for seat in turned)
    places = _means(rules, tuple(kinds[seat] for seat in turned), by_place)
    return tuple(places[(seat - dealer) % players] for seat in range(players))


@lru_cache(1024)
def _means(rules: Ruleset, kinds: tuple[str, ...], totals: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the mean margins by seat if seat 0 deals; `kinds` and `totals` are by seat too."""
    players = len(kinds)
    core, policies = new_core(rules, players, totals), seated(rules, kinds)
    # Totals differ from deal to deal, so these means are rarely reused: measure them in fewer deals.
    deals = MEAN_SEATS // players // (8 if any(totals) else 1)
    sums = [0] * players
    for number in range(deals):  # seat 0 deals every deal whose number is a multiple of `players`
        points = club_deals(core, policies, _MEAN_SEED, players * number, 1)[_LEAD:]
        sums = [total + more for total, more in zip(sums, points, strict=True)]
    return tuple(margin / deals for margin in margins(sums, rules))


def _difference(one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _sum(one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))
