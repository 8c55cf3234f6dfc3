"""What the course of a deal tells about hidden hands: log-odds for each unseen card and each other seat.

The clues are gathered and weighed in `ai/clues.py`; the weights lie in `card_odds.toml`, one
network for each class of profiles, with the recipe they came from. Everything is worked out from one view.
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
"""One nat of log-odds."""
CLASSES = ("two", "several", "partners", "double")
"""The classes of profiles that are weighed apart: see `profile_class`."""
_CARDS = frozenset(pack(jokers=1))
_ROUNDS = 30
"""How often expected counts are brought in line with sizes of hands; they converge much sooner."""


def profile_class(rules: Ruleset, players: int) -> str:
    """`double` with two packs, else `partners` with sides, `two` for two players, `several` for more."""
    if rules.packs(players) == 2:
        return "double"
    if rules.sides:
        return "partners"
    return "two" if players == 2 else "several"


def course_of(view: View) -> ClueTracker:
    """The course of the view's deal, followed to its end.

    `ValueError` if the view does not know it, or tells of one that cannot be played or ends elsewhere.
    """
    course = ClueTracker(opening(view))
    course.run(view.past[1:])
    seen_by_all = msgspec.structs.replace(view, seat=None, hand=(), drawn=None, legal=())
    if view_of(course.table, view.rules, None, view.past) != seen_by_all:
        raise ValueError("the course of the deal does not lead to this table")
    return course


def opening(view: View) -> Core:
    """The table as it was dealt: the upcard lies there, and no card of a hand or the stock is known.

    `ValueError` if the view does not know the course of its deal, or where that begins with no upcard.
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
    """By seat and card code (0 to 63): what play tells about the card's being in that seat's hidden hand.

    Log-odds against the stock in 1/1024 nat, relative to a deal in which nothing has been played: 0 says
    nothing either way. The sizes of hands and stock are not counted in. Rows of the view's own seat, and
    all rows where the course is not known, are 0. `seat` is the view's `known_deal`, if it has been made.
    """
    return beliefs(view, seat)[0]


def beliefs(view: View, seat: KnownDeal | None = None) -> tuple[list[list[int]], list[int]]:
    """`odds`, and by seat how much against it that the seat's hand could lay something as it is.

    The second, in 1/1024 nat and never negative, is on top of the first: weights of single cards make hands
    that hold ready melds more often than players do who lay them at once.
    """
    rows, doubts = [[0] * 64 for _ in range(view.players)], [0] * view.players
    if view.seat is None or len(view.past) < 2 or view.is_over:
        return rows, doubts
    seat = seat or known_deal(view)
    course = course_of(view)
    course.observe(list(seat.unseen))
    net, doubt = nets()[profile_class(view.rules, view.players)]
    kinds = sorted(set(seat.unseen))
    for other, hidden in enumerate(seat.room):
        if hidden:
            rows[other] = course.odds(net, other, view.seat, kinds)
            told = course.seat_features(other, view.seat)
            doubts[other] = max(0, doubt[-1] + sum(w * x for w, x in zip(doubt, told, strict=False)))
    return rows, doubts


def expected(view: View, rows: list[list[int]] | None = None) -> list[dict[int, float]]:
    """By seat, how many copies of each card its hand is expected to hold, known cards included.

    `rows` are log-odds as `odds` gives them (and made so if left out). The sums are the sizes of the hands.
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
    """Expected hidden copies by card and seat: weights scaled until rows and columns have the right sums.

    Copies of one card of which some only may be in the stock (H5) are told apart.
    """
    places = [other for other, room in enumerate(seat.room) if room]
    wanted = [*(float(seat.room[other]) for other in places), float(seat.stock)]
    copies = Counter((card, i >= seat.bound) for i, card in enumerate(seat.unseen))
    weights = [
        [math.exp(rows[other][card] / ODDS_ONE) * seat.room[other] for other in places]
        + [float(seat.stock) if free else 0.0]
        for card, free in copies
    ]
    for _ in range(_ROUNDS):
        for place, size in enumerate(wanted):
            total = sum(row[place] for row in weights)
            if total > 0:
                for row in weights:
                    row[place] *= size / total
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
    """Of each class of profiles the network, and how a seat's features weigh in the doubt, constant last."""
    data = tomllib.loads((files("rum500.ai") / "card_odds.toml").read_text())
    return {
        name: (ClueNetwork(part["inner"], part["bias"], part["outer"], part["last"]), tuple(part["doubt"]))
        for name, part in data.items()
    }
