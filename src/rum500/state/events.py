"""The events of a deal: what its players see of each action."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.cards import CARDS
from rum500.rules.action_codes import (
    action_kind,
    discarded_card,
    laid_cards,
    opens_meld,
    taken_count,
    target_meld,
)
from rum500.rules.actions import Laid
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core
from rum500.view import REASONS, Event


def deal_event(core: Core) -> Event:
    """Return the event that announces a new deal: dealer, upcard, sizes, and to each seat its hand."""
    hands = [tuple(core.hand_cards(seat)) for seat in range(core.n)]
    return Event(
        "deal",
        core.dealer,
        {
            "number": core.number,
            "upcard": CARDS[core.pile[0]],
            "stock": core.stock_end - core.stock_next,
            "hand_sizes": tuple(map(len, hands)),
        },
        {seat: {"hand": hand} for seat, hand in enumerate(hands)},
    )


def restock_event(core: Core) -> Event:
    """Return the event that announces a new stock (H5). `core` is the deal before the pile is moved."""
    return Event("restock", core.actor, {"cards": tuple(sorted(core.pile_cards()[:-1]))})


def action_event(
    core: Core, code: int, seat: int, number: int, points: int, pile: Sequence[int], binds: bool
) -> Event:
    """Return the event of an action that this seat has just made.

    `pile` and `number` are the pile and the number of melds before the action. `points` are the points of the
    laid cards. `binds` is whether the top discard, taken alone, must be melded (R-DRAW-4, H1).
    """
    kind = action_kind(code)
    if kind == _core.DRAW:
        stock = core.stock_end - core.stock_next
        return Event("draw", seat, {"stock": stock}, {seat: {"card": CARDS[core.drawn]}})
    if kind in (_core.TAKE, _core.CALL):
        taken = tuple(pile[len(pile) - taken_count(code) :])
        must = taken[0] if kind == _core.CALL or len(taken) > 1 or binds else None
        return Event("take" if kind == _core.TAKE else "call", seat, {"cards": taken, "must_use": must})
    if kind == _core.DISCARD:
        return Event("discard", seat, {"card": discarded_card(code)})
    if kind >= _core.MELD_RUN:
        return _play_event(core, code, seat, number, points)
    return Event({_core.PASS: "pass", _core.END: "end", _core.LET_GO: "let_go"}[kind], seat)


def _play_event(core: Core, code: int, seat: int, number: int, points: int) -> Event:
    new = opens_meld(code)
    cards: tuple[Laid, ...] = laid_cards(code)
    return Event(
        "meld" if new else "lay",
        seat,
        {
            "meld": number if new else target_meld(code),
            "cards": cards,
            "points": points,
            "doubled": bool(core.doubled(code)),
        },
    )


def over_event(core: Core) -> Event:
    """Return the event that announces the end of a deal."""
    seats = range(core.n)
    return Event(
        "over",
        core.out if core.out >= 0 else core.turn,
        {
            "reason": REASONS[core.reason],
            "out": core.out if core.out >= 0 else None,
            "hands": tuple(tuple(core.hand_cards(s)) for s in seats),
            "points": tuple(core.score(s) for s in seats),
        },
    )
