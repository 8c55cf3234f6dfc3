"""Why a decision cost what it did, from an exact decomposition of the loss.

A result is the sum of what the own side laid and held, what the others laid and held, and bonuses. So the
loss is exactly the sum of the differences of these parts. A reason is given only where its part is two
standard errors from zero, and only if one or two such parts make up half of the loss; a cause within a part
(such as "the next player takes it") only where its rate differs by two standard errors. What is not measured
is not said.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from rum500.ai.search import MEASURE_NAMES
from rum500.cards import card_symbol
from rum500.review.stakes import Stakes
from rum500.rules.actions import (
    Action,
    Call,
    Discard,
    Draw,
    EndDeal,
    LayOff,
    LetGo,
    Meld,
    Pass,
    Take,
)
from rum500.rules.english import counted

Params = Mapping[str, Any]
PARTS = MEASURE_NAMES[:5]
"""The parts of a result: own laid, own held, others' laid, others' held, and bonuses."""
RATES = MEASURE_NAMES[8:]
"""What happens in a share of the deals: the own side goes out, another does, the next seat takes from the
pile, and the seat is left with a card that the best action gets rid of.
"""
SURE = 2.0
"""A difference is told if it is so many standard errors from zero."""
MAIN = 0.5
"""The reasons told make up this share of the loss at least."""
MOST = 2
"""The largest number of reasons."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the loss."""

    name: str
    """One of `PARTS`."""
    points: float
    """The points that it adds to the loss; negative if it was better with the played action."""
    error: float
    """The standard error of `points`."""

    @property
    def sure(self) -> bool:
        """Whether it is so far from zero that it may be told."""
        return self.points >= SURE * self.error and self.points > 0


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something happens after the played and after the best action."""

    name: str
    """One of `RATES`."""
    played: float
    """The share of deals after the played action."""
    best: float
    """The share after the best one."""
    error: float
    """The standard error of the difference."""

    @property
    def more(self) -> bool:
        """Whether it surely happens more often after the played action."""
        return self.played > self.best and self.played - self.best >= SURE * self.error


@dataclass(frozen=True, slots=True)
class LossReason:
    """A reason that is told."""

    code: str
    """Its stable code, `why.` and a word."""
    points: float
    """The points of the loss that it explains."""
    error: float
    """Their standard error."""
    params: Params
    """The cards (as codes) and percentages of its sentence."""

    @property
    def text(self) -> str:
        """The reason in English."""
        return f"{_number(self.points)} " + _told("reasons", self.code, self.params)

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "code": self.code,
            "points": round(self.points, 2),
            "error": round(self.error, 2),
            "params": {
                name: list(each) if isinstance(each, tuple) else each for name, each in self.params.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Why:
    """What a loss is made of."""

    code: str
    """`why.costs` if there are reasons, `why.small` if there are none, `why.match` if the score decides."""
    points: float
    """The loss in points of the deal, the sum of the parts."""
    error: float
    """Its standard error."""
    chance: float | None
    """The loss in chance to win the match; None where the deal is about points alone."""
    parts: tuple[Part, ...]
    """The parts of the loss, in the order of `PARTS`."""
    rates: tuple[Rate, ...]
    """What happens how often, in the order of `RATES`."""
    reasons: tuple[LossReason, ...]
    """What is told, the largest first."""
    head: str
    """The played action as the subject of the sentence."""

    @property
    def sentence(self) -> str:
        """The loss and its reasons as an English sentence."""
        facts = {
            "head": self.head,
            "points": _number(self.points),
            "half": _number(1.96 * self.error),
            "reasons": ", ".join(reason.text for reason in self.reasons),
            "chance": f"{100 * (self.chance or 0):.1f}",
        }
        return str(_texts()["others"][self.code]).format_map(facts)

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "code": self.code,
            "sentence": self.sentence,
            "reasons": [reason.as_dict() for reason in self.reasons],
            "parts": {
                part.name: {"points": round(part.points, 3), "error": round(part.error, 3)}
                for part in self.parts
            },
            "rates": {
                rate.name: {
                    "played": round(rate.played, 4),
                    "best": round(rate.best, 4),
                    "error": round(rate.error, 4),
                }
                for rate in self.rates
            },
        }


@dataclass(frozen=True, slots=True)
class Measured:
    """The sums of a comparison of the best action with the played one, by measure (`MEASURE_NAMES`)."""

    played: tuple[int, ...]
    """Sums after the played action."""
    best: tuple[int, ...]
    """Sums after the best one."""
    squares: tuple[int, ...]
    """Sums of the squared differences in the same world."""
    worlds: int
    """The number of worlds."""

    def __add__(self, other: Measured) -> Measured:
        """Return both comparisons together."""
        return Measured(
            _sums(self.played, other.played),
            _sums(self.best, other.best),
            _sums(self.squares, other.squares),
            self.worlds + other.worlds,
        )

    def lead(self, name: str, unit: float = 1.0) -> tuple[float, float]:
        """Return the mean lead of the best in a measure and its standard error, in this unit."""
        at, n = MEASURE_NAMES.index(name), self.worlds
        lead = self.best[at] - self.played[at]
        return lead / (n * unit), standard_error(lead, self.squares[at], n) / unit

    def rate(self, name: str) -> Rate:
        """Return how often something happens after each."""
        at = MEASURE_NAMES.index(name)
        return Rate(name, self.played[at] / self.worlds, self.best[at] / self.worlds, self.lead(name)[1])


def _sums(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def standard_error(total: int, squares: int, count: int) -> float:
    """Return the standard error of a mean, from the sum of `count` values and the sum of their squares."""
    if count < 2:
        return math.inf
    return math.sqrt(max(0, count * squares - total * total) / (count * count * (count - 1)))


def explain(
    measured: Measured, stakes: Stakes, played: Action, best: Action, doubled: Sequence[int] = ()
) -> Why:
    """Return what a loss is made of. `doubled` are the best action's cards if their points are doubled."""
    others = stakes.others
    points, error = measured.lead("points", others)
    parts = tuple(Part(name, *measured.lead(name, others)) for name in PARTS)
    rates = tuple(measured.rate(name) for name in RATES)
    chance = measured.lead("chance", 1000)[0] if stakes.of_chance else None
    head = _head(played)
    reasons: tuple[LossReason, ...] = ()
    code = "why.match"
    if points > error:
        sure = sorted((part for part in parts if part.sure), key=lambda part: -part.points)[:MOST]
        if sum(part.points for part in sure) >= MAIN * points:
            by_name = {rate.name: rate for rate in rates}
            reasons = tuple(_reason(part, by_name, played, best, tuple(doubled)) for part in sure)
        code = "why.costs" if reasons else "why.small"
    elif not chance or chance < 0:
        code = "why.small"
    return Why(code, points, error, chance, parts, rates, reasons, head)


def why_from_dict(told: Mapping[str, Any], played: Action) -> Why:
    """Return a reason from its `as_dict`, for this action; parts and rates are left out."""
    reasons = tuple(
        LossReason(
            reason["code"],
            reason["points"],
            reason["error"],
            {name: tuple(one) if isinstance(one, list) else one for name, one in reason["params"].items()},
        )
        for reason in told["reasons"]
    )
    points, error = told.get("points", 0.0), told.get("error", 0.0)
    return Why(told["code"], points, error, told.get("chance"), (), (), reasons, _head(played))


def cards_put_away(action: Action) -> tuple[int, ...]:
    """Return the cards that leave the hand with an action."""
    match action:
        case Discard(card):
            return (card,)
        case Meld(cards) | LayOff(cards=cards):
            return tuple(laid.card for laid in cards)
        case _:
            return ()


def _reason(
    part: Part, rates: Mapping[str, Rate], played: Action, best: Action, doubled: tuple[int, ...]
) -> LossReason:
    """Return the reason for a part, with its cause where that was measured."""
    match part.name:
        case "own_laid":
            code, params = _own_laid(rates, played, best, doubled)
        case "own_held":
            code, params = _own_held(rates, played, best)
        case "others_laid":
            code, params = _others_laid(rates, played)
        case "others_held" if rates["other_out"].more:
            code, params = "why.slow", _shares(rates["other_out"])
        case "others_held":
            code, params = "why.others_keep", {}
        case _:
            code, params = "why.bonus", {}
    return LossReason(code, part.points, part.error, params)


def _own_laid(
    rates: Mapping[str, Rate], played: Action, best: Action, doubled: tuple[int, ...]
) -> tuple[str, Params]:
    laying = Meld | LayOff
    if isinstance(played, EndDeal | Pass):
        return "why.end", {}
    if doubled and not isinstance(played, laying):
        return "why.double", {"cards": doubled}
    if isinstance(best, laying) and not isinstance(played, laying):
        return "why.hold", {"cards": cards_put_away(best)}
    if rates["out"].more:
        return "why.rush", _shares(rates["out"])
    if isinstance(played, laying) and not isinstance(best, laying):
        return "why.lay", {}
    if isinstance(best, Take | Call) and isinstance(played, Draw | LetGo):
        return "why.pile_left", {}
    return "why.own_lay", {}


def _own_held(rates: Mapping[str, Rate], played: Action, best: Action) -> tuple[str, Params]:
    cards = tuple(card for card in cards_put_away(best) if card not in cards_put_away(played))
    if cards and rates["caught"].more:
        return "why.caught", {"cards": cards, **_shares(rates["caught"])}
    return "why.held", {}


def _others_laid(rates: Mapping[str, Rate], played: Action) -> tuple[str, Params]:
    if not rates["next_takes"].more:
        return "why.others_lay", {}
    code = "why.gift" if isinstance(played, Discard) else "why.pile_given"
    return code, _shares(rates["next_takes"])


def _shares(rate: Rate) -> Params:
    return {"played": round(100 * rate.played), "best": round(100 * rate.best)}


# --- words ------------------------------------------------------------------------------------------

_HEADS: Mapping[type, str] = {
    Draw: "draw", Take: "take", Call: "call", LetGo: "let_go", Pass: "pass", EndDeal: "end",
    Discard: "discard", Meld: "meld", LayOff: "lay_off",
}  # fmt: skip


def _head(action: Action) -> str:
    facts: dict[str, Any] = {"cards": cards_put_away(action)}
    if isinstance(action, Discard):
        facts["card"] = (action.card,)
    if isinstance(action, Take | Call):
        facts["count"] = counted(action.count, "card")
    return _told("heads", _HEADS[type(action)], facts)


def _told(table: str, code: str, params: Mapping[str, Any]) -> str:
    words = {
        name: " ".join(map(card_symbol, each)) if isinstance(each, tuple) else each
        for name, each in params.items()
    }
    return str(_texts()[table][code]).format_map(words)


def _number(points: float) -> str:
    """Return points without decimals, below 10 with one."""
    return f"{points:.1f}" if abs(points) < 9.95 else f"{points:.0f}"


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(resources.files("rum500.review").joinpath("why.toml").read_text("utf-8"))
