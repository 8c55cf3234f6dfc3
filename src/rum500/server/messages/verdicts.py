"""Converts plays and reasons of reviews and hints to the form of the protocol."""

from __future__ import annotations

from collections.abc import Callable

from rum500.review.loss_reasons import EventRate, LossPart, Why
from rum500.review.plans import Plan
from rum500.review.verdict import Verdict
from rum500.rules.action_codes import action_kind, decode, shape_of
from rum500.rules.actions import Action, ActionKind, Call, Discard, LayOff, Meld, Take
from rum500.rules.notation import play_text
from rum500.server.messages import PlacedCard
from rum500.server.messages.render import TEXT, placed, texts
from rum500.server.messages.review import (
    LossReasonInfo,
    LossWhy,
    ReviewCandidate,
    ReviewPlan,
    ReviewPlay,
)
from rum500.state import State
from rum500.view import View

_NAMES = {
    ActionKind.DRAW: "draw", ActionKind.TAKE: "take", ActionKind.CALL: "call", ActionKind.LET_GO: "let_go",
    ActionKind.PASS: "pass", ActionKind.END: "end", ActionKind.DISCARD: "discard",
    ActionKind.MELD_RUN: "meld", ActionKind.MELD_SET: "meld",
    ActionKind.LAY_RUN: "lay", ActionKind.LAY_SET: "lay",
}  # fmt: skip
_LAYS = (ActionKind.LAY_RUN, ActionKind.LAY_SET)


def play_shown(deal: State | View, code: int, *, doubled: bool) -> ReviewPlay:
    """Return the actor's play with this code as a `ReviewPlay`; `doubled` if its points count double."""
    action, seat = decode(code), deal.actor
    shown = ReviewPlay(str(code), _NAMES[action_kind(code)], play_text(action, deal))  # type: ignore[arg-type]
    match action:
        case Take(count) | Call(count):
            shown.cards = [PlacedCard(text, None, seat, 0) for text in texts(deal.pile[-count:])]
        case Discard(card):
            shown.cards = [PlacedCard(TEXT[card], None, seat, 0)]
        case Meld() | LayOff():
            _lay(shown, deal, code, action, doubled=doubled)
    return shown


def _lay(shown: ReviewPlay, deal: State | View, code: int, action: Action, *, doubled: bool) -> None:
    assert isinstance(action, Meld | LayOff)
    if isinstance(action, LayOff):
        meld = deal.melds[action.meld]
        shown.meld, shown.owner, shown.meld_kind = action.meld, meld.owner, meld.kind
        if _fits_elsewhere(deal, action):
            shown.on = texts(laid.card for laid in meld.cards)
    else:
        shown.meld_kind = shape_of(code)
    run = shown.meld_kind == "run"
    shown.cards = placed(deal.rules, action.cards, deal.actor, run=run, doubled=doubled)
    shown.points = sum(card.points for card in shown.cards)


def _fits_elsewhere(deal: State | View, action: LayOff) -> bool:
    """Return whether these cards could also be laid on another meld, so they do not identify the play."""
    cards = sorted(laid.card for laid in action.cards)
    legal = deal.legal if isinstance(deal, View) else deal.legal_ints()
    others = (decode(code) for code in legal if action_kind(code) in _LAYS)
    return any(
        isinstance(other, LayOff)
        and other.meld != action.meld
        and sorted(laid.card for laid in other.cards) == cards
        for other in others
    )


def candidates_shown(found: Verdict, play: Callable[[int], ReviewPlay]) -> list[ReviewCandidate]:
    """Return the compared plays, best first; `play` converts a code to a `ReviewPlay`."""
    return [
        ReviewCandidate(play(one.code), round(one.lead, 2), round(found.half_of(one), 2), as_good=one.as_good)
        for one in found.candidates
    ]


def change_shown(found: Verdict) -> EventRate | None:
    """Return the event whose rate the play changed most; None unless the play is marked and has no plan."""
    marked = found.mark.sign and found.plan is None and found.why is not None
    return _rate(found.why.change) if marked and found.why and found.why.change else None


def plan_shown(plan: Plan) -> ReviewPlan:
    """Return a plan in the form of the protocol."""
    rates = round(plan.played, 4), round(plan.best, 4)
    return ReviewPlan(plan.name, texts(plan.cards), *rates, plan.sentence, plan.others)  # type: ignore[arg-type]


def _rate(one: EventRate) -> EventRate:
    return EventRate(one.name, round(one.played, 4), round(one.best, 4), round(one.error, 4))


def loss_why(why: Why) -> LossWhy:
    """Return the components of a loss in the form of the protocol."""
    return LossWhy(
        code=why.code,  # type: ignore[arg-type]
        message=why.sentence,
        points=round(why.points, 2),
        half=round(why.half, 2),
        reasons=[
            LossReasonInfo(
                one.code,
                round(one.points, 2),
                round(one.error, 2),
                texts(one.params.get("cards", ())),
                one.params.get("played"),
                one.params.get("best"),
            )
            for one in why.reasons
        ],
        parts=[LossPart(one.name, round(one.points, 3), round(one.error, 3)) for one in why.parts],
        rates=[_rate(one) for one in why.rates],
        others=why.others,  # type: ignore[arg-type]
        gained=round(why.gained, 2),
        chance=None if why.chance is None else round(why.chance, 5),
    )
