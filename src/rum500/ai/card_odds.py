"""Log-odds that each other seat holds each unseen card, computed from the past actions of the deal.

`ai/clues.py` collects and weighs the clues. The weights are in `card_odds.toml`, one network for each class
of profiles, with the commands that produced them. Everything is computed from one view.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

import msgspec

from rum500.ai.clues import ClueNetwork, ClueTracker
from rum500.ai.known_deal import KnownDeal, known_deal
from rum500.cards import pack
from rum500.rules.engine.core import DISCARD, Core
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.view import View, view_of

ODDS_ONE = 1024
"""The number that represents log-odds of one nat."""
CLASSES = ("two", "several", "partners", "double")
"""The classes of games with separate weights; see `profile_class`."""
_CARDS = frozenset(pack(jokers=1))
_MAX_ROUNDS = 200
_ENOUGH = 1e-9
"""Scaling stops when all hands have their sizes up to this error, usually after a few rounds."""


def profile_class(rules: Ruleset, players: int) -> str:
    """Return the class of a game: `double` with two packs, else `partners`, `two` or `several` players."""
    if rules.packs(players) == 2:
        return "double"
    if rules.sides:
        return "partners"
    return "two" if players == 2 else "several"


def course_of(view: View) -> ClueTracker:
    """Return a tracker that has followed the view's deal up to now.

    Raises `ValueError` if the view does not contain the past actions, or if they are illegal or lead to
    another table.
    """
    course = ClueTracker(opening(view))
    course.run(view.past[1:])
    seen_by_all = msgspec.structs.replace(view, seat=None, hand=(), drawn=None, legal=())
    if view_of(course.table, view.rules, None, view.past) != seen_by_all:
        raise ValueError("the course of the deal does not lead to this table")
    return course


def opening(view: View) -> Core:
    """Return the deal as it began: the upcard is on the pile, and no card of a hand or the stock is known.

    Raises `ValueError` if the view does not contain the past actions, or if they do not begin with an upcard.
    """
    if not view.past:
        raise ValueError("this view does not know the course of its deal")
    upcard = view.past[0] >> 4
    if view.past[0] != DISCARD | upcard << 4 or upcard not in _CARDS:
        raise ValueError("the course of the deal begins with no upcard")
    core = new_core(view.rules, view.players, view.totals, view.number)
    cards = sum(view.hand_sizes) + view.stock + len(view.pile) + sum(len(m.cards) for m in view.melds)
    core.set_pile([upcard])
    core.hn = [core.hand_size] * core.n + [0] * (8 - core.n)
    core.stock_end = cards - 1 - core.hand_size * core.n
    core.dealer = view.dealer
    core.turn = core.actor = (view.dealer + 1) % core.n
    return core


def odds(view: View, seat: KnownDeal | None = None) -> list[list[int]]:
    """Return, by seat and card code (0 to 63), log-odds that the card is in that seat's hidden hand.

    Log-odds are in 1/1024 nat, relative to the stock and to a deal in which nothing has been played: 0 means
    no evidence. The sizes of hands and stock are not included. The row of the view's own seat has only zeros,
    and so have all rows if the past actions are unknown. `seat` is the result of `known_deal` for this view,
    if the caller has it already.
    """
    return beliefs(view, seat)[0]


def beliefs(view: View, seat: KnownDeal | None = None) -> tuple[list[list[int]], list[int]]:
    """Return the rows of `odds`, and each seat's penalty for hands that could lay cards at once.

    The penalties are in 1/1024 nat and never negative. They are needed because hands drawn by the odds of
    single cards contain complete melds more often than real hands do.
    """
    rows, penalties = [[0] * 64 for _ in range(view.players)], [0] * view.players
    if view.seat is None or len(view.past) < 2 or view.is_over:
        return rows, penalties
    seat = seat or known_deal(view)
    course = course_of(view)
    course.observe(list(seat.unseen))
    net, weights = nets()[profile_class(view.rules, view.players)]
    kinds = sorted(set(seat.unseen))
    for other, hidden in enumerate(seat.room):
        if hidden:
            rows[other] = course.odds(net, other, view.seat, kinds)
            seen = course.seat_features(other, view.seat)
            penalties[other] = max(0, weights[-1] + sum(w * x for w, x in zip(weights, seen, strict=False)))
    return rows, penalties


def expected(view: View, rows: list[list[int]] | None = None) -> list[dict[int, float]]:
    """Return, by seat, the expected number of copies of each card in its hand, known cards included.

    `rows` are log-odds as returned by `odds`; by default, `odds` is called for this view. Each seat's numbers
    add up to the size of its hand.
    """
    seat = known_deal(view)
    rows = odds(view, seat) if rows is None else rows
    held: list[dict[int, float]] = [dict(Counter(known)) for known in view.known]
    if view.seat is not None:
        held[view.seat] = dict(Counter(view.hand))
    for (card, other), share in _shares(seat, rows).items():
        held[other][card] = held[other].get(card, 0) + share
    return held


def _shares(seat: KnownDeal, rows: list[list[int]]) -> dict[tuple[int, int], float]:
    """Return the expected number of copies of each hidden card in each other hand, by (card, seat).

    `seat` is the known deal, `rows` are its log-odds. The log-odds give weights, which are scaled until they
    add up to the number of copies of each card, and to the number of hidden cards of each hand.

    With H5, copies that the stock may contain are counted separately from those that it cannot contain.
    """
    places = [other for other, room in enumerate(seat.room) if room]
    wanted = [*(float(seat.room[other]) for other in places), float(seat.stock)]
    copies = Counter((card, i >= seat.bound) for i, card in enumerate(seat.unseen))
    # If the cards that cannot be in the stock fill all hands exactly, scaling would never quite converge.
    full = seat.bound == sum(seat.room)
    weights = [
        [
            0.0 if free and full else math.exp(rows[other][card] / ODDS_ONE) * seat.room[other]
            for other in places
        ]
        + [float(seat.stock) if free else 0.0]
        for card, free in copies
    ]
    for _ in range(_MAX_ROUNDS):
        error = 0.0
        for place, size in enumerate(wanted):
            total = sum(row[place] for row in weights)
            error = max(error, abs(total - size))
            if total > 0:
                for row in weights:
                    row[place] *= size / total
        if error < _ENOUGH:
            break
        for count, row in zip(copies.values(), weights, strict=True):
            total = sum(row) or 1.0
            row[:] = [weight * count / total for weight in row]
    shares: dict[tuple[int, int], float] = {}
    for (card, _), row in zip(copies, weights, strict=True):
        for place, other in enumerate(places):
            shares[card, other] = shares.get((card, other), 0) + row[place]
    return shares


@cache
def nets() -> dict[str, tuple[ClueNetwork, tuple[int, ...]]]:
    """Return, by class of game, (network, weights); the weights give the penalties of `beliefs`.

    There is one weight for each feature of a seat; the last weight is a constant.
    """
    data = tomllib.loads((files("rum500.ai") / "card_odds.toml").read_text())
    return {
        name: (ClueNetwork(part["inner"], part["bias"], part["outer"], part["last"]), tuple(part["doubt"]))
        for name, part in data.items()
    }
