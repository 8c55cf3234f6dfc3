"""Play value: the gain of a seat's own decisions, compared with the choices of `club`.

Where the seat's choice differs from the choice of `club`, both choices are played out in the same worlds. The
worlds agree with the seat's view. The seat plays on like `club`, the others by their kinds (`company`). By
the performance-difference lemma (Kakade and Langford, 2002) the expected sum of the differences is the
player's lead, in points, over `club` in the same seat against such others. `club` itself has exactly 0.

Only the seat's view is used, and worlds are drawn uniformly. So a gain from inferring the opponent's hand is
not measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from types import MappingProxyType
from typing import Any

from rum500.ai import known_deal
from rum500.ai.outcomes import Outcomes
from rum500.bots.search_bot import MOST_WORLDS
from rum500.intervals import error_of_mean, student
from rum500.review.luck_factors import about, luck_factors
from rum500.review.played_deal import (
    KINDS,
    PlayedAction,
    PlayedDeal,
    Task,
    against,
    margins,
    measure_by_kinds,
)
from rum500.review.stakes import deviation
from rum500.review.verdict import DecisionKind, kind_of
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.rules.ruleset import Ruleset
from rum500.values import whole_number

WORLDS = 512
"""The number of worlds in which both choices are tried."""
FEWEST = 30
"""The smallest number of decisions for a score."""
MOST_LEVELS = 2
"""If an interval contains more levels than this, it says nothing about the level."""
_STREAM = 0x506C61795631
_NORMAL = student(10**9)


@dataclass(frozen=True, slots=True)
class Deviation:
    """A decision in which a seat did not choose what `club` would have chosen."""

    number: int
    """The number of the action in the deal, from 1."""
    seat: int
    """The seat that decided."""
    kind: DecisionKind
    """What the decision was about."""
    played: str
    """The action that was played, in notation."""
    club: str
    """The action that `club` would have played."""
    gains: tuple[Fraction, ...]
    """The points that the decision added to the expected margin, by seat; see `margins`."""
    errors: tuple[float, ...]
    """The standard errors of the gains."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with the gain of the seat that decided."""
        return {
            "play": self.number,
            "seat": self.seat,
            "kind": str(self.kind),
            "played": self.played,
            "club": self.club,
            "value": round(float(self.gains[self.seat]), 2),
            "error": round(self.errors[self.seat], 2),
        }


@dataclass(frozen=True, slots=True)
class DealPlay:
    """The decisions of all seats in a deal."""

    deal: int
    """The number of the deal in the record, from 1."""
    decisions: tuple[Mapping[DecisionKind, int], ...]
    """Per seat, the number of decisions of each kind with more than one legal action."""
    deviations: tuple[Deviation, ...]
    """The decisions that differ from `club`'s, in order."""
    kinds: tuple[str, ...] = ()
    """The kind of each seat's player, by which the others played on; all `club` if it is empty."""

    def among_club(self, seat: int) -> bool:
        """Return whether all other seats' players were taken for `club`."""
        return all(kind == KINDS[0] for other, kind in enumerate(self.kinds) if other != seat)

    def gain(self, decider: int, seat: int) -> Fraction:
        """Return how much the decisions of seat `decider` added to the margin of `seat`."""
        return sum((d.gains[seat] for d in self.deviations if d.seat == decider), Fraction())

    def error(self, decider: int, seat: int) -> float:
        """Return the standard error of `gain`."""
        return sqrt(sum(d.errors[seat] ** 2 for d in self.deviations if d.seat == decider))


def play_of_deal(
    played: PlayedDeal, kinds: Sequence[str] = (), *, worlds: int = WORLDS, threads: int = 1
) -> DealPlay:
    """Return the values of all decisions of a deal, each measured in `worlds` worlds (2 to `MOST_WORLDS`).

    `kinds` has the kind of each seat's player, one of `KINDS`; by default all are `club`. Raises `ValueError`
    if `worlds` or `threads` is out of range, and `TypeError` for numbers that are not integers.
    """
    worlds = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)
    players = played.final.players
    counts: list[Counter[DecisionKind]] = [Counter() for _ in range(players)]
    other = [choice for choice in played.choices if choice.differs]
    for choice in played.choices:
        if choice.free:
            counts[choice.before.actor][_kind(choice)] += 1
    kinds = tuple(kinds) or KINDS[:1] * players
    tasks = [
        (
            against(kinds, choice.before.actor),
            _comparison(choice, played.seed(_STREAM, choice.number), worlds),
        )
        for choice in other
    ]
    sums = measure_by_kinds(tasks, played.rules, threads)
    found = [
        _deviation(choice, points, squares, worlds, played.rules)
        for choice, (points, squares) in zip(other, sums, strict=True)
    ]
    decisions = tuple(MappingProxyType(dict(count)) for count in counts)
    return DealPlay(played.number, decisions, tuple(found), kinds)


def _comparison(choice: PlayedAction, seed: int, worlds: int) -> Task[tuple[list[int], list[int]]]:
    view = choice.before.view(choice.before.actor)
    drawn = known_deal(view).worlds()

    def compare(outcomes: Outcomes) -> tuple[list[int], list[int]]:
        return outcomes.compare(drawn, choice.played, choice.club, seed, worlds)

    return compare


def _deviation(
    choice: PlayedAction, points: Sequence[int], squares: Sequence[int], worlds: int, rules: Ruleset
) -> Deviation:
    gains = tuple(gain / worlds for gain in margins(points, rules))
    unit = 1 if rules.sides else len(points) - 1
    errors = tuple(
        sqrt(max(0.0, square / unit**2 / worlds - float(gain) ** 2) / (worlds - 1))
        for square, gain in zip(squares, gains, strict=True)
    )
    table = choice.before
    return Deviation(
        choice.number,
        choice.before.actor,
        _kind(choice),
        play_text(choice.played, table),
        play_text(choice.club, table),
        gains,
        errors,
    )


def _kind(choice: PlayedAction) -> DecisionKind:
    return kind_of(decode(choice.played), decode(choice.club))


@dataclass(frozen=True, slots=True)
class KindValue:
    """The play value of the decisions of one kind, or of all."""

    decisions: int
    """The number of decisions."""
    value: Fraction
    """The gain of these decisions in points, compared with `club`."""
    error: float
    """The standard error of the measurement."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with its 95 % interval."""
        reach = _NORMAL * self.error
        return {
            "decisions": self.decisions,
            "value": round(float(self.value), 2),
            "interval": [round(float(self.value) - reach, 2), round(float(self.value) + reach, 2)],
        }


@dataclass(frozen=True, slots=True)
class Score:
    """The play score of a seat: points per deal, compared with `club`."""

    a_deal: float
    """The mean of the play values of the seat's deals."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end."""
    about: tuple[str, ...]
    """The levels whose own play value lies in the interval, weakest first; else the nearest level. Empty if
    the levels were not measured for a similar game, or if the others were not all `club`, among whom the
    levels were measured.
    """
    sure: bool = True
    """Whether the interval is at most two standard deviations of a deal wide; a wider one says nothing."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The bot levels of about this strength.

        Empty if the interval is too wide, or the levels are too many, to be informative.
        """
        return self.about if self.sure and len(self.about) <= MOST_LEVELS else ()

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; an unknown (infinite) end of the interval is None."""
        ends = [round(end, 2) if abs(end) < inf else None for end in (self.low, self.high)]
        return {"a_deal": round(self.a_deal, 2), "interval": ends, "about": list(self.about)}


@dataclass(frozen=True, slots=True)
class PlayValue:
    """The play value of a seat in one deal or several."""

    seat: int
    """The seat."""
    whole: KindValue
    """The play value of all decisions of the seat."""
    kinds: Mapping[DecisionKind, KindValue]
    """The play value of the decisions of each kind, for the kinds that occurred."""
    score: Score | None
    """The play score of the seat; None with fewer than `FEWEST` decisions."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "seat": self.seat,
            **self.whole.as_dict(),
            "kinds": {str(kind): value.as_dict() for kind, value in self.kinds.items()},
            "score": None if self.score is None else self.score.as_dict(),
        }


def play_value(deals: Sequence[DealPlay], seat: int, rules: Ruleset) -> PlayValue:
    """Return the play value of a seat in these deals.

    The intervals of the values cover only the error of the measurement, so they say what these decisions
    gained. The interval of the score covers the spread between deals, so it says how well the seat plays in
    general. With a single deal, the interval of the score also covers only the error of the measurement.
    """
    own = [[d for d in deal.deviations if d.seat == seat] for deal in deals]
    counted = sum((Counter(deal.decisions[seat]) for deal in deals), Counter[DecisionKind]())
    flat = [deviation for deviations in own for deviation in deviations]
    kinds = {
        kind: _summed([d for d in flat if d.kind is kind], seat, counted[kind])
        for kind in DecisionKind
        if counted[kind]
    }
    whole = _summed(flat, seat, counted.total())
    score = None
    if whole.decisions >= FEWEST:
        players = len(deals[0].decisions)
        known, spread = luck_factors(rules, players).levels, deviation(rules, players)
        levels = known if all(deal.among_club(seat) for deal in deals) else {}
        score = score_of([float(deal.gain(seat, seat)) for deal in deals], whole.error, levels, spread)
    return PlayValue(seat, whole, MappingProxyType(kinds), score)


def _summed(deviations: Sequence[Deviation], seat: int, decisions: int) -> KindValue:
    value = sum((d.gains[seat] for d in deviations), Fraction())
    return KindValue(decisions, value, sqrt(sum(d.errors[seat] ** 2 for d in deviations)))


def score_of(
    values: Sequence[float],
    error: float,
    levels: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    spread: float = inf,
) -> Score:
    """Return the score of a seat; `values` are its play values, one for each deal.

    `error` is the standard error of their sum, used if there is only one deal; `levels` are those of the
    game, as in `LuckFactors`, and `spread` is the standard deviation of its deals.
    """
    mean = sum(values) / len(values)
    several = len(values) > 1
    reach = student(len(values) - 1) * error_of_mean(values) if several else _NORMAL * error
    return Score(mean, mean - reach, mean + reach, about(levels, mean, reach), reach <= spread)
