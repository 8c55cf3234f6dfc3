"""Drills: ten short questions of one kind, made from deals of bots, and the scores of answers.

A question depends only on the drill's kind, game, number of players and seed, and on its number in the drill.
So nothing of a drill has to be stored: the same request returns the same question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import count

from rum500.ai import expected
from rum500.bots import rng_for
from rum500.match import SheetLine, sheet_of
from rum500.puzzles.bot_deals import bot_named, play_deal
from rum500.review.stakes import deviation
from rum500.review.verdict import BOUNDS, Mark
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind, code_of
from rum500.rules.actions import ActionKind
from rum500.rules.ruleset import Ruleset
from rum500.state import State
from rum500.view import Event, Phase, Result, View

QUESTIONS = 10
"""The number of questions of a drill."""
BOTS = ("greedy", "casual", "club")
"""The bots that play the deals; one is drawn for each seat."""
PLAIN = 3
"""One in this many questions is any decision; the others are decisions on which these bots disagree."""
MOST_CODES = 40
"""The largest number of legal actions in a question."""
PICKY = 30
"""After this many deals without a decision on which bots disagree, any decision of the kind is used."""
TELLING = 3
"""The drill `who` asks about one of this many cards: those on which the past actions give the most evidence.
"""
FEW = 6
"""A player with at most this many cards may go out soon."""
ROUNDS = 2
"""The stock is nearly used up if it lasts for at most this many rounds."""
_DRAWN_BEFORE = 3
"""In the drill `who`, each seat has had about this many turns before, so that there is evidence."""


class DrillKind(StrEnum):
    """The subject of a drill."""

    DRAW = "draw"
    """Take from the pile, or draw from the stock?"""
    LAY = "lay"
    """Lay, or hold?"""
    DISCARD = "discard"
    """Which card can be discarded safely?"""
    COUNT = "count"
    """How many points does a seat score in a finished deal?"""
    WHO = "who"
    """Who has a card?"""
    SALT = "salt"
    """Lay a ready meld, or keep it, or throw a card of it as bait, while all others hold many cards?"""
    LATE = "late"
    """Lay, or hold, when another player may go out soon?"""
    STOCK = "stock"
    """Lay, or hold, when the stock is nearly used up?"""
    COLLECT = "collect"
    """Which card to discard when another player holds cards that were taken from the pile?"""


@dataclass(frozen=True, slots=True)
class Drill:
    """Ten questions of one kind about one game."""

    kind: DrillKind
    """The kind of its questions."""
    rules: Ruleset
    """The game."""
    players: int
    """The number of players."""
    seed: int
    """The seed of its deals."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A finished deal, in which the points of one seat are to be counted."""

    seat: int
    """The seat."""
    lines: tuple[SheetLine, ...]
    """The lines of its score sheet."""
    result: Result
    """The result of the deal."""
    state: State
    """The deal at its end."""

    @property
    def points(self) -> int:
        """The right answer: the points of the seat."""
        return self.result.points[self.seat]


@dataclass(frozen=True, slots=True)
class Sought:
    """A card that the seat of a view does not see, and the chances of its possible places."""

    view: View
    """The seat's view."""
    card: int
    """The card, of which one copy is not seen."""
    chances: tuple[float, ...]
    """The chance of each place: the other seats in order, then the stock. They add up to 1."""


@lru_cache(maxsize=64)
def decision(drill: Drill, number: int) -> View:
    """Return the decision of question `number` of a drill in which the answer is a play."""
    fits = _FITS[drill.kind]
    picky = number % PLAIN != PLAIN - 1
    for attempt in count():
        rng = _rng(drill, number, attempt)
        found = [view for view in _played(drill, rng)[0] if fits(view)]
        rng.shuffle(found)
        for view in found:
            if not picky or attempt >= PICKY or _is_argued(view, rng):
                return view
    raise AssertionError  # unreachable: count() does not end


@lru_cache(maxsize=64)
def counted(drill: Drill, number: int) -> Counted:
    """Return the finished deal of question `number` of a drill of the kind `count`."""
    for attempt in count():
        rng = _rng(drill, number, attempt)
        _, events, state = _played(drill, rng)
        result = state.result
        if result is None:
            continue
        sheet = sheet_of(drill.rules, events, state.melds, result)
        laid = [seat for seat, lines in enumerate(sheet) if any(line.kind == "meld" for line in lines)]
        if laid:
            seat = laid[rng.below(len(laid))]
            return Counted(seat, sheet[seat], result, state)
    raise AssertionError  # unreachable: count() does not end


@lru_cache(maxsize=64)
def sought(drill: Drill, number: int) -> Sought:
    """Return the card of question `number` of a drill of the kind `who`."""
    for attempt in count():
        rng = _rng(drill, number, attempt)
        views, _, _ = _played(drill, rng)
        late = [view for view in views if len(view.past) > _DRAWN_BEFORE * drill.players * 2]
        if not late:
            continue
        view = late[rng.below(len(late))]
        ranked = sorted(_unseen(view), key=lambda one: (-one[0], one[1]))[:TELLING]
        if ranked:
            _, card, chances = ranked[rng.below(len(ranked))]
            return Sought(view, card, chances)
    raise AssertionError  # unreachable: count() does not end


# --- scores -----------------------------------------------------------------------------------------


def play_score(rules: Ruleset, players: int, mark: Mark, loss: float) -> int:
    """Return the score of a play: 100 if it is as good as the best, falling to 0 at the loss of a blunder."""
    if mark in (Mark.GOOD, Mark.DECIDED):
        return 100
    return max(0, round(100 * (1 - loss / (BOUNDS[-1] * deviation(rules, players)))))


def count_score(points: int, answer: int) -> int:
    """Return the score of a count: 100 for the exact number, else 0."""
    return 100 if points == answer else 0


def guess_loss(chances: Sequence[float], weights: Sequence[int]) -> float:
    """Return the loss of a guess in bits: its expected log-loss less that of guessing the true chances.

    `weights` are the guessed shares of the possible places of the card, in the order of `chances`. One
    percent of the total is spread evenly, so that leaving out the true place has a finite cost.

    >>> round(guess_loss([0.5, 0.5], [1, 1]), 3), round(guess_loss([0.9, 0.1], [1, 1]), 3)
    (0.0, 0.531)
    """
    guessed = shares(weights)
    lost = sum(p * math.log2(p / q) for p, q in zip(chances, guessed, strict=True) if p > 0)
    return max(0.0, lost)


def shares(weights: Sequence[int]) -> list[float]:
    """Return a guess as chances that add up to 1. If all weights are 0, the guess is even."""
    total, number = sum(weights), len(weights)
    even = 1 / number
    return [0.99 * (one / total if total else even) + 0.01 * even for one in weights]


def guess_score(loss: float) -> int:
    """Return the score of a guess: 100 for no loss, 50 for one bit, 25 for two."""
    return round(100 * 2**-loss)


# --- deals of bots ----------------------------------------------------------------------------------


def _rng(drill: Drill, number: int, attempt: int) -> Rng:
    return rng_for(drill.seed, list(DrillKind).index(drill.kind), number, attempt)


def _played(drill: Drill, rng: Rng) -> tuple[list[View], list[Event], State]:
    return play_deal(drill.rules, drill.players, BOTS, rng)


def _is_argued(view: View, rng: Rng) -> bool:
    return len({code_of(bot_named(name).choose(view, Rng(rng.next64()))) for name in BOTS}) > 1


def _kinds(view: View) -> set[ActionKind]:
    return {action_kind(code) for code in view.legal}


def _may_take(view: View) -> bool:
    return view.phase is Phase.DRAW and {ActionKind.DRAW, ActionKind.TAKE} <= _kinds(view)


_MELDS = {ActionKind.MELD_RUN, ActionKind.MELD_SET}
_LAYS = {*_MELDS, ActionKind.LAY_RUN, ActionKind.LAY_SET}


def _may_lay(view: View) -> bool:
    kinds = _kinds(view)
    fits = view.phase is Phase.PLAY and ActionKind.DISCARD in kinds and bool(kinds & _LAYS)
    return fits and len(view.legal) <= MOST_CODES


def _must_discard(view: View) -> bool:
    return _kinds(view) == {ActionKind.DISCARD} and 3 <= len(view.legal) <= MOST_CODES


def _may_bait(view: View) -> bool:
    return _may_lay(view) and bool(_kinds(view) & _MELDS) and min(_others(view)) > FEW


def _may_be_caught(view: View) -> bool:
    return _may_lay(view) and min(_others(view)) <= FEW


def _may_be_last(view: View) -> bool:
    return _may_lay(view) and view.stock <= ROUNDS * view.players


def _may_feed(view: View) -> bool:
    return _must_discard(view) and any(view.known[seat] for seat in range(view.players) if seat != view.seat)


def _others(view: View) -> list[int]:
    """Return how many cards each other seat holds."""
    return [size for seat, size in enumerate(view.hand_sizes) if seat != view.seat]


_FITS = {
    DrillKind.DRAW: _may_take,
    DrillKind.LAY: _may_lay,
    DrillKind.DISCARD: _must_discard,
    DrillKind.SALT: _may_bait,
    DrillKind.LATE: _may_be_caught,
    DrillKind.STOCK: _may_be_last,
    DrillKind.COLLECT: _may_feed,
}


def _unseen(view: View) -> list[tuple[float, int, tuple[float, ...]]]:
    """Return (information, card, chances) for each card of which exactly one copy is unseen.

    The chances are those of the other seats in order, then of the stock. The information is the divergence,
    in bits, from the chances that the sizes of the hands and the stock alone would give.
    """
    odds = expected(view)
    others = [seat for seat in range(view.players) if seat != view.seat]
    sizes = [view.hand_sizes[seat] - len(view.known[seat]) for seat in others]
    room = [*sizes, view.stock]
    found = []
    for card, copies in _copies(view).items():
        if copies == 1 and any(room):
            held = [odds[seat].get(card, 0.0) - view.known[seat].count(card) for seat in others]
            chances = (*held, max(0.0, 1 - sum(held)))
            even = [size / sum(room) for size in room]
            divergence = sum(
                p * math.log2(p / q) for p, q in zip(chances, even, strict=True) if p > 0 and q > 0
            )
            found.append((divergence, card, chances))
    return found


def _copies(view: View) -> dict[int, int]:
    left: dict[int, int] = {}
    for card in view.rules.deck(view.players):
        left[card] = left.get(card, 0) + 1
    seen = [*view.hand, *view.pile, *(one.card for meld in view.melds for one in meld.cards)]
    for card in (*seen, *(card for known in view.known for card in known)):
        left[card] -= 1
    return left
