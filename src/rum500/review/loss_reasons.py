"""Why a decision lost points: an exact decomposition of the loss.

A result has five parts: the cards laid and the cards held by the own side, the same for the others, and
bonuses. So the loss is exactly the sum of the differences in these parts. A reason is given only if its part
is two standard errors from zero, and only if one or two such parts make up half of the loss. A cause within a
part (such as "the next player takes it") is given only if its rate differs by two standard errors, and by
enough to explain the part. Causes that were not measured are not mentioned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add
from typing import Any, Literal, get_args

from rum500.ai.search import MEASURE_NAMES
from rum500.intervals import Z_OF_LOOKS, Z, standard_error
from rum500.review.loss_words import in_percent, number_text, percent_text, phrase, rounded, texts, with_half
from rum500.review.stakes import Stakes
from rum500.rules.actions import (
    Action,
    Call,
    Discard,
    Draw,
    EndDeal,
    Laid,
    LayOff,
    LetGo,
    Meld,
    Pass,
    Take,
)
from rum500.rules.english import counted
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points

Params = Mapping[str, Any]
PartName = Literal["own_laid", "own_held", "others_laid", "others_held", "bonus"]
RateName = Literal["out", "other_out", "no_out", "next_takes", "caught", "took_back", "at_once", "other_gets"]
PARTS: tuple[PartName, ...] = get_args(PartName)
"""The parts of a result: own laid, own held, others' laid, others' held, and bonuses."""
RATES: tuple[RateName, ...] = get_args(RateName)
"""The events whose rates are counted; see `EventRate.name`."""
SURE = 2.0
"""A difference is mentioned if it is at least this many standard errors from zero."""
MAIN = 0.5
"""The share of the loss that the given reasons together must explain."""
MOST = 2
"""The largest number of reasons."""
LEAST = 0.15
"""The share of the loss that each reason must explain."""
CHANGED = 0.25
"""The share of the loss that a change of a rate must explain to be named alone."""
MORE = 0.05
"""The least difference between two rates that is mentioned."""
_HARMS = {"out": -1, "took_back": -1, "at_once": -1, "other_out": 1, "next_takes": 1, "other_gets": 1}
"""The events that do good (-1) or harm (1) if they happen more often."""
_SAYS = {
    "next_takes": ("why.gift", "why.pile_given"),
    "other_gets": ("why.gift",),
    "other_out": ("why.slow",),
    "caught": ("why.caught",),
}
"""For an event, the reasons that give its rates too."""
_BY_THE_BEST = ("out", "took_back", "at_once")
"""Events that some plays make impossible: then only the rate after the best play is said."""
_OF_THE_END: tuple[RateName, ...] = ("out", "other_out", "no_out")
"""The events that the end of a deal shows."""
OTHER = 0.25
"""The least share of a loss by which its points at the start of a match are another number."""
HARDLY = 0.005
"""A smaller share of deals counts as never."""
EVENT = 0.5
"""The most that an event, such as another player going out, can cost, in standard deviations of a deal."""


@dataclass(frozen=True, slots=True)
class CauseLimits:
    """The largest number of points that one occurrence of a cause can be worth.

    A cause is named only if it can explain half of its part of the loss. For example, being left with a card
    in 10 % more of the deals does not explain a loss of ten points.
    """

    event: float
    """The limit in points for an event, such as another player going out first."""
    cards: float
    """The limit in points for being left with the cards that the best action puts away."""

    @classmethod
    def of(cls, rules: Ruleset, deviation: float, cards: Sequence[int]) -> CauseLimits:
        """Return the limits of a game.

        `deviation`: the standard deviation of a deal. `cards`: the cards that the best action puts away and
        the played one keeps; empty if they were not `watched` in `Case.compare`.
        """
        held = [Laid(card, card) for card in cards]
        return cls(EVENT * deviation, sum(card_points(rules, held, run=False)))


@dataclass(frozen=True, slots=True)
class LossPart:
    """A part of a loss. The parts add up to the loss in points."""

    name: PartName
    points: float
    """The points that the part adds to the loss; negative if the played action was better in this part."""
    error: float
    """The standard error of `points`."""

    @property
    def sure(self) -> bool:
        """Whether the part is certain enough to be shown: above zero by `SURE` standard errors."""
        return self.points >= SURE * self.error and self.points > 0


@dataclass(frozen=True, slots=True)
class EventRate:
    """How often something happens after the played action and after the best one."""

    name: RateName
    """`out`: the own side goes out; `other_out`: another does; `no_out`: nobody does and the stock runs out;
    `next_takes`: the next player takes from the pile; `caught`: a card that the best action puts away stays
    in the hand to the end; `took_back`: the seat takes the card that it discards now back from the pile;
    `at_once`: the seat goes out and laid nothing before that turn; `other_gets`: an opponent takes the
    card discarded now.
    """
    played: float
    """The share of worlds, 0 to 1, in which the event happens after the played action."""
    best: float
    """The share of worlds in which the event happens after the best action."""
    error: float
    """The standard error of the difference."""

    @property
    def harms(self) -> bool:
        """Whether this is a harm of the played action, beyond chance: the own side goes out or takes its
        discard back less often, or another player goes out or takes from the pile more often.
        """
        way = _HARMS.get(self.name, 0)
        return way * (self.played - self.best) >= max(MORE, SURE * self.error)

    @property
    def is_certain(self) -> bool:
        """Whether the event always follows one action and never the other."""
        return abs(self.played - self.best) == 1

    @property
    def shares(self) -> Params:
        """Both rates in percent."""
        return {"played": in_percent(self.played), "best": in_percent(self.best)}

    def explains(self, part: LossPart, worth: float) -> bool:
        """Return whether the event is clearly more frequent after the played action and can explain `part`.

        `worth` is the largest number of points that one such event is worth.
        """
        more = self.played - self.best
        return more >= max(MORE, SURE * self.error) and more * worth >= MAIN * part.points


@dataclass(frozen=True, slots=True)
class LossReason:
    """A reason that is shown for a loss."""

    code: str
    """A stable code: `why.` and a word."""
    points: float
    """The points of the loss that the reason explains."""
    error: float
    """The standard error of `points`."""
    params: Params
    """The cards (as codes) and percentages of its sentence."""

    def text(self, others: str) -> str:
        """Return the reason in English; `others` as in `Why.others`."""
        return f"{number_text(self.points)} " + phrase("reasons", self.code, self.params, others)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
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
    """The components of a loss."""

    code: str
    """`why.costs` if there are reasons, `why.small` if there are none, `why.mixed` if the reasons add up to
    twice the loss or more (other parts are gains), `why.match` if only the loss in chance is certain,
    `why.exact` if every card was known, with or without reasons.
    """
    points: float
    """The loss in points of the deal, the sum of the parts."""
    error: float
    """The standard error of `points`."""
    half: float
    """Half the width of the 95 % interval of `points`; if only points count, of the verdict's loss."""
    chance: float | None
    """The loss in chance to win the match; None if only points count."""
    parts: tuple[LossPart, ...]
    """The parts of the loss, in the order of `PARTS`."""
    rates: tuple[EventRate, ...]
    """How often each event happens, in the order of `RATES`."""
    reasons: tuple[LossReason, ...]
    """The shown reasons, the largest first."""
    others: str
    """The word for the opponents: `opponent`, `others`, or `side` if there are sides."""
    head: str
    """The played action, as the subject of the sentence."""
    change: EventRate | None = None
    """The harmful change of a rate that explains most of the loss; None if none explains enough of it."""
    thrown: tuple[int, ...] = ()
    """The card that the best action discards, then the one that the played action discards; for an action
    that is no discard, none."""

    @property
    def gained(self) -> float:
        """The points by which the shown reasons exceed the loss; 0 if below its last digit.

        The value is computed from the rounded numbers, so that the shown numbers add up.
        """
        points = rounded(self.points)
        gained = sum(rounded(reason.points) for reason in self.reasons) - points
        return gained if self.reasons and gained >= (0.095 if points < 9.95 else 1.0) else 0.0

    @property
    def change_sentence(self) -> str:
        """The change of a rate as an English sentence; empty if there is none, or if a reason names it."""
        if self.change is None:
            return ""
        name: str = self.change.name
        shares = self.change.shares
        if any(reason.code in _SAYS.get(name, ()) for reason in self.reasons):
            return ""
        if name in ("out", "other_out") and self.change.is_certain:
            name += "_sure"
        elif name in _BY_THE_BEST and self.change.played < HARDLY:
            name += "_only"
        cards = {"card": self.thrown[:1], "other": self.thrown[1:]}
        return phrase("changes", name, {**shares, **cards}, self.others)

    def without_rates(self, event: str) -> Why:
        """Return the same components, with reasons that leave out the rates of this event."""
        of_event = _SAYS.get(event, ())
        reasons = (
            replace(one, code=f"{one.code}_alone") if one.code in of_event else one for one in self.reasons
        )
        return replace(self, reasons=tuple(reasons))

    def is_worth_other(self, loss: float) -> bool:
        """Return whether `loss`, in points at the start of a match, clearly differs from `points`."""
        apart = abs(loss - self.points) > OTHER * self.points
        return self.code == "why.match" or (self.points > 0 and apart)

    def worth(self, loss: float) -> str:
        """Return an English sentence with the loss of chance, if its points count for clearly more or less.

        `loss` is in points at the start of a match. If the loss is given in chance anyway, or if there is
        none, the sentence is empty.
        """
        in_chance = self.code == "why.match" or self.of_match
        if in_chance or not self.chance or self.chance < 0 or not self.is_worth_other(loss):
            return ""
        return self._phrase("why.even")

    @property
    def of_match(self) -> bool:
        """Whether the loss is only in the chance to win the match, not in points of the deal."""
        return self.points <= 0 and self.code in ("why.small", "why.exact")

    @property
    def cost(self) -> str:
        """The loss in English, with its reasons if there are any of its own."""
        if self.code not in ("why.small", "why.mixed"):
            return self.sentence
        return self._phrase(self._alone)

    @property
    def sentence(self) -> str:
        """The loss and its reasons in English: one sentence, and another one where every card was known."""
        if self.code == "why.exact":
            costs = self._phrase(self._with_reasons if self.reasons else self._alone)
            return f"{costs} {self._phrase(self.code)}"
        if self.code == "why.costs":
            return self._phrase(self._with_reasons)
        if self.code == "why.match" and self.points > 0:
            return self._phrase("why.match_close")
        return self._phrase("why.small_match" if self.of_match else self.code)

    @property
    def _with_reasons(self) -> str:
        return "why.costs_net" if self.gained else "why.costs"

    @property
    def _alone(self) -> str:
        return "why.match_alone" if self.of_match else "why.costs_alone"

    def _phrase(self, code: str) -> str:
        facts = {
            "gained": number_text(self.gained),
            "head": self.head,
            "points": with_half(self.points, self.half),
            "reasons": ", ".join(reason.text(self.others) for reason in self.reasons),
            "chance": percent_text(self.chance or 0.0),
        }
        return str(texts()["losses"][code]).format_map(facts)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "code": self.code,
            "sentence": self.sentence,
            "others": self.others,
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
    """A comparison of the played action and the best one: sums over worlds, by measure (`MEASURE_NAMES`)."""

    played: tuple[int, ...]
    """Sums after the played action."""
    best: tuple[int, ...]
    """Sums after the best action."""
    squares: tuple[int, ...]
    """Sums of the squared differences between the two in the same world."""
    worlds: int
    """The number of worlds."""
    contrasts: tuple[tuple[int, int], ...] = ((0, 0),) * len(MEASURE_NAMES)
    """For each event, the sums of the best action's lead where the event happens only after the best action,
    and where it happens only after the played one."""

    def __add__(self, other: Measured) -> Measured:
        """Return the comparison over the worlds of both."""
        mine, more = ((one.played, one.best, one.squares) for one in (self, other))
        played, best, squares = (tuple(map(add, *two)) for two in zip(mine, more, strict=True))
        both = zip(self.contrasts, other.contrasts, strict=True)
        contrasts = tuple((one[0] + two[0], one[1] + two[1]) for one, two in both)
        return Measured(played, best, squares, self.worlds + other.worlds, contrasts)

    @property
    def reversed(self) -> Measured:
        """The comparison with the two actions exchanged."""
        contrasts = tuple((-lost, -gained) for gained, lost in self.contrasts)
        return Measured(self.best, self.played, self.squares, self.worlds, contrasts)

    def contrast(self, name: str) -> tuple[int, int]:
        """Return the two sums of `contrasts` for an event."""
        return self.contrasts[MEASURE_NAMES.index(name)]

    def lead(self, name: str, unit: float = 1.0) -> tuple[float, float]:
        """Return the best action's mean lead in a measure, and its standard error, both divided by `unit`."""
        at, n = MEASURE_NAMES.index(name), self.worlds
        lead = self.best[at] - self.played[at]
        return lead / (n * unit), standard_error(lead, self.squares[at], n) / unit

    def means(self, name: str) -> tuple[float, float]:
        """Return the mean of a measure after the played action and after the best one."""
        at = MEASURE_NAMES.index(name)
        return self.played[at] / self.worlds, self.best[at] / self.worlds

    def rate(self, name: RateName) -> EventRate:
        """Return how often an event happens after each action."""
        return EventRate(name, *self.means(name), self.lead(name)[1])


def explain(
    measured: Measured,
    stakes: Stakes,
    played: Action,
    best: Action,
    limits: CauseLimits,
    doubled: Sequence[int] = (),
) -> Why:
    """Return the components of a loss.

    `doubled`: the cards of the best action if their points count double, otherwise empty.
    """
    count = stakes.others
    points, error = measured.lead("points", count)
    parts = tuple(LossPart(name, *measured.lead(name, count)) for name in PARTS)
    rates = tuple(measured.rate(name) for name in RATES)
    chance, its_error = measured.lead("chance", 1000) if stakes.of_chance else (None, 0.0)
    head = _head(played)
    reasons: tuple[LossReason, ...] = ()
    code = "why.small"
    if chance is not None and points <= Z_OF_LOOKS * error and _is_of_chance(measured, chance, its_error):
        code = "why.match"
    elif points > error:
        large = [part for part in parts if part.sure and part.points >= LEAST * points]
        sure = sorted(large, key=lambda part: -part.points)[:MOST]
        if sum(part.points for part in sure) >= MAIN * points:
            causes = _Causes({rate.name: rate for rate in rates}, limits)
            reasons = tuple(_reason(part, causes, played, best, tuple(doubled)) for part in sure)
            code = "why.costs"
    others = others_of(count, sides=stakes.sides)
    if sum(reason.points for reason in reasons) >= 2 * points > 0:
        code, reasons = "why.mixed", ()
    change = _main_change(measured, rates, played, best)
    thrown = tuple(action.card for action in (best, played) if isinstance(action, Discard))
    return Why(code, points, error, Z * error, chance, parts, rates, reasons, others, head, change, thrown)


def _is_of_chance(measured: Measured, chance: float, error: float) -> bool:
    """Return whether a loss of chance is certain: alone, or together with the points, as for a mark.

    `chance` and its standard `error` are the loss.
    """
    value, its_error = measured.lead("value")
    return chance > 0 and (chance >= SURE * error or value > Z_OF_LOOKS * its_error)


def _main_change(
    measured: Measured, rates: Sequence[EventRate], played: Action, best: Action
) -> EventRate | None:
    """Return the harmful change of a rate that explains most of the loss, at least `CHANGED` of it.

    A change explains the part of the loss that arises where the event follows only one of the two actions.
    Whether others take the discarded card is compared only for two discards.
    """
    at = MEASURE_NAMES.index("value")
    loss = measured.best[at] - measured.played[at]
    two = isinstance(played, Discard) and isinstance(best, Discard)
    parts = {
        sum(measured.contrast(rate.name)): rate
        for rate in rates
        if rate.harms and (two or rate.name != "other_gets")
    }
    most = max(parts, default=0)
    return parts[most] if loss > 0 and most >= CHANGED * loss else None


def explain_exact(
    points: float,
    chance: float | None,
    stakes: Stakes,
    played: Action,
    best: Action,
    measured: Measured | None = None,
) -> Why:
    """Return the `Why` of an exact loss in points and in chance to win (None if only points count).

    `measured` compares the ends of the deal. There are no reasons without it, without a loss in points, or if
    it has another loss in points: best play for the match can differ from best play for points.
    """
    others = others_of(stakes.others, sides=stakes.sides)
    bare = Why("why.exact", points, 0.0, 0.0, chance, (), (), (), others, _head(played))
    if measured is None or points <= 0 or measured.lead("points", stakes.others)[0] != points:
        return bare
    found = explain(measured, stakes, played, best, CauseLimits(0.0, 0.0))
    rates = tuple(rate for rate in found.rates if rate.name in _OF_THE_END)
    return replace(bare, parts=found.parts, rates=rates, reasons=found.reasons, change=found.change)


def others_of(count: int, *, sides: bool) -> str:
    """Return the word for `count` opposing accounts (sides or seats), as in `Why.others`."""
    return "side" if sides else "opponent" if count == 1 else "others"


def why_from_dict(data: Mapping[str, Any], played: Action, others: str) -> Why:
    """Return the `Why` of the played action from the data of a stored puzzle, without parts and rates."""
    reasons = tuple(
        LossReason(
            reason["code"],
            reason["points"],
            reason["error"],
            {name: tuple(one) if isinstance(one, list) else one for name, one in reason["params"].items()},
        )
        for reason in data["reasons"]
    )
    points, error = data.get("points", 0.0), data.get("error", 0.0)
    return Why(
        data["code"], points, error, Z * error, data.get("chance"), (), (), reasons, others, _head(played)
    )


def cards_put_away(action: Action) -> tuple[int, ...]:
    """Return the cards that leave the hand with an action."""
    match action:
        case Discard(card):
            return (card,)
        case Meld(cards) | LayOff(cards=cards):
            return tuple(laid.card for laid in cards)
        case _:
            return ()


def cards_kept(played: Action, best: Action) -> tuple[int, ...]:
    """Return the cards that the best action puts away and the played one does not."""
    gone = cards_put_away(played)
    return tuple(card for card in cards_put_away(best) if card not in gone)


@dataclass(frozen=True, slots=True)
class _Causes:
    """How often each event happens, and the points that it can be worth at most."""

    rates: Mapping[str, EventRate]
    limits: CauseLimits

    def shares(self, name: str, part: LossPart) -> Params | None:
        """Return both rates of an event in percent if it can be the cause of a part; else None."""
        rate, limits = self.rates[name], self.limits
        worth = limits.cards if name == "caught" else limits.event
        if not rate.explains(part, worth):
            return None
        return rate.shares


def _reason(
    part: LossPart, causes: _Causes, played: Action, best: Action, doubled: tuple[int, ...]
) -> LossReason:
    match part.name:
        case "own_laid":
            code, params = _own_laid(part, causes, played, best, doubled)
        case "own_held":
            code, params = _own_held(part, causes, played, best)
        case "others_laid":
            code, params = _others_laid(part, causes, played)
        case "others_held":
            shares = causes.shares("other_out", part)
            code, params = ("why.slow", shares) if shares else ("why.others_keep", {})
        case _:
            code, params = "why.bonus", {}
    return LossReason(code, part.points, part.error, params)


def _own_laid(
    part: LossPart, causes: _Causes, played: Action, best: Action, doubled: tuple[int, ...]
) -> tuple[str, Params]:
    laying = Meld | LayOff
    if isinstance(played, EndDeal | Pass):
        return "why.end", {}
    if doubled and not isinstance(played, laying):
        return "why.double", {"cards": doubled}
    if isinstance(best, laying) and not isinstance(played, laying):
        return "why.hold", {"cards": cards_put_away(best)}
    if shares := causes.shares("out", part):
        return "why.rush", shares
    if isinstance(played, laying) and not isinstance(best, laying):
        return "why.lay", {}
    if isinstance(best, Take | Call) and isinstance(played, Draw | LetGo):
        return "why.pile_left", {}
    return "why.own_lay", {}


def _own_held(part: LossPart, causes: _Causes, played: Action, best: Action) -> tuple[str, Params]:
    cards = cards_kept(played, best)
    shares = causes.shares("caught", part) if cards else None
    return ("why.caught", {"cards": cards, **shares}) if shares else ("why.held", {})


def _others_laid(part: LossPart, causes: _Causes, played: Action) -> tuple[str, Params]:
    shares = causes.shares("next_takes", part)
    if not shares:
        return "why.others_lay", {}
    return "why.gift" if isinstance(played, Discard) else "why.pile_given", shares


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
    return phrase("heads", _HEADS[type(action)], facts)
