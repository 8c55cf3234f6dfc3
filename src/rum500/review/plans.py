"""Plans with names: the ways in which a better play gains, found in the compared rollouts.

Each plan has an event, such as going out. A plan is named only if its event occurs in at least half of the
better play's rollouts, and if at least half of the loss arises in deals where the event follows only one of
the two plays. The intervals of the loss, of this part of it, and of the change of the event's rate must not
include zero, so a small loss rarely has a plan. The same plan must be found in fresh worlds (`confirmed`).
The rate in the fresh worlds is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal, get_args

from rum500.ai.search import MEASURE_NAMES
from rum500.intervals import Z
from rum500.review.loss_reasons import HARDLY, Measured, cards_kept, cards_put_away
from rum500.review.loss_words import in_percent, phrase
from rum500.rules.action_codes import decode
from rum500.rules.actions import Action, Discard, LayOff, Meld

PlanName = Literal["salt", "lay", "feed", "deny", "bury", "hold", "race", "wait"]
"""`salt`: discard a card of a ready meld and take it back later, with the pile. `lay`: lay cards before being
caught with them. `feed`: discard a card that the partner takes. `deny`: discard a card that keeps the next
player from taking from the pile. `bury`: discard a card that no opponent takes. `hold`: lay nothing, and go
out with all at once. `race`: go out before the others. `wait`: nobody goes out before the stock ends."""
PLANS: tuple[PlanName, ...] = get_args(PlanName)
"""All plans, the most specific first."""
MORE = 0.1
"""The least difference between the rates of a plan's event after the two plays."""
OFTEN = 0.5
"""A plan occurs in at least this share of the better play's rollouts."""
EXPLAINS = 0.5
"""The deals in which a plan's event happens after only one of the two plays account for at least this share
of the loss.
"""
CONFIRM = 512
"""A plan is confirmed in as many fresh worlds as measured the loss, but at least this many."""
NEAR = 0.1
"""A confirmed plan's rate in the fresh worlds differs by at most this."""

_EVENTS: dict[PlanName, tuple[str, bool]] = {
    "salt": ("took_back", True),
    "lay": ("caught", False),
    "feed": ("partner_gets", True),
    "deny": ("next_takes", False),
    "bury": ("other_gets", False),
    "hold": ("at_once", True),
    "race": ("out", True),
    "wait": ("no_out", True),
}
"""The event of each plan, and whether the plan works if the event happens (True) or if it does not."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan by which the better play gains."""

    name: PlanName
    cards: tuple[int, ...]
    """The cards in the plan's sentence. For `bury`, the better discard and then the played one, which some
    stored plans lack.
    """
    played: float
    """The share of deals, 0 to 1, in which the plan's event happens after the played action."""
    best: float
    """The share after the better action."""
    explains: float
    """The share of the loss in the deals in which the event happens after only one of the two actions."""
    others: str = "others"
    """The word for the opponents: `opponent`, `others`, or `side` if there are sides."""

    @property
    def event(self) -> str:
        """The event whose rates are `played` and `best`: one of `MEASURE_NAMES`."""
        return _EVENTS[self.name][0]

    @property
    def sentence(self) -> str:
        """The plan as an English sentence."""
        rates = {"played": in_percent(self.played), "best": in_percent(self.best)}
        name: str = self.name
        if name in ("hold", "race", "wait") and self.played < HARDLY:
            name += "_sure" if name != "wait" and self.best == 1 else "_only"
        elif name == "bury" and len(self.cards) == 1:
            name = "bury_one"
        elif (name == "lay" and self.played == 1) or (name in ("deny", "bury") and self.best == 0):
            name += "_sure"
        cards = {"cards": self.cards, "card": self.cards[:1], "other": self.cards[1:]}
        return phrase("plans", name, cards | rates, self.others)

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "name": self.name,
            "sentence": self.sentence,
            "others": self.others,
            "cards": list(self.cards),
            "played": round(self.played, 4),
            "best": round(self.best, 4),
            "explains": round(self.explains, 3),
        }


def plan_of(
    measured: Measured, played: int, best: int, legal: Sequence[int], *, watched: bool = True
) -> Plan | None:
    """Return the most specific plan by which the better action beats the played one; None if none is found.

    `watched` says whether the event `caught` of `measured` counts the cards that the better action puts away.
    """
    at = MEASURE_NAMES.index("value")
    loss = measured.best[at] - measured.played[at]
    if loss <= 0:
        return None
    actions = decode(played), decode(best)
    for name in PLANS:
        cards = _cards_of(name, *actions, legal)
        if cards is None or (name == "lay" and not watched):
            continue
        event, happens = _EVENTS[name]
        rates = measured.means(event)
        more = rates[1] - rates[0] if happens else rates[0] - rates[1]
        occurs = rates[1] if happens else 1 - rates[1]
        explains = sum(measured.contrast(event)) / loss
        often = occurs >= OFTEN and more >= MORE and explains >= EXPLAINS
        if often and _is_sure(measured, event):
            return Plan(name, cards, *rates, explains)
    return None


def _is_sure(measured: Measured, event: str) -> bool:
    """Return whether the loss, the part of it that goes with an event, and the change of the event's rate
    are not chance: none of their 95 % intervals includes zero.

    The part's error is overestimated: that of the whole loss is used, because squares are not kept by event.
    """
    square = measured.squares[MEASURE_NAMES.index("value")]
    part = sum(measured.contrast(event)) > Z * sqrt(square)
    return part and all(abs(mean) > Z * error for mean, error in map(measured.lead, ("value", event)))


def rates_of(name: PlanName, measured: Measured) -> tuple[float, float]:
    """Return the shares of worlds with a plan's event, after the played action and after the best one."""
    return measured.means(_EVENTS[name][0])


def confirmed(found: Plan, again: Plan | None) -> bool:
    """Return whether another measurement found the same plan (`again`) with about the same rate."""
    return again is not None and again.name == found.name and abs(again.best - found.best) <= NEAR


def _cards_of(name: PlanName, played: Action, best: Action, legal: Sequence[int]) -> tuple[int, ...] | None:
    """Return the cards of a plan's sentence; None if the plan is not possible with these actions."""
    thrown = cards_put_away(best) if isinstance(best, Discard) else None
    match name:
        case "salt":
            ready = {card for code in legal for card in _meld_cards(decode(code))}
            return thrown if thrown and thrown[0] in ready else None
        case "lay":
            return (cards_kept(played, best) or None) if isinstance(best, Meld | LayOff) else None
        case "deny":
            return thrown if isinstance(played, Discard) else None
        case "bury":
            return (*thrown, played.card) if thrown and isinstance(played, Discard) else None
        case "feed":
            return thrown
        case _:
            return ()


def _meld_cards(action: Action) -> tuple[int, ...]:
    return cards_put_away(action) if isinstance(action, Meld) else ()
