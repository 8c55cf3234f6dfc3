"""Builds views from a core, field by field, with only what the seat may see.

This module is compiled, or runs interpreted.
"""

from __future__ import annotations

from functools import lru_cache

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

from rum500.cards import CARDS, Card
from rum500.rules.action_codes import laid_cards, shape_of
from rum500.rules.meld_codes import laid_at_once, owner_of, seats_of_cards
from rum500.rules.ruleset import Ruleset
from rum500.view.view import PHASES, REASONS, MeldView, OwnPart, Placed, Result, View

if not cython.compiled:
    from rum500.rules.engine.core import PHASE_OVER, PHASE_USE, Core, Moves


def view_of(core: Core, rules: Ruleset, seat: int | None, past: tuple[int, ...] = ()) -> View:
    """Return the view of a seat, or of a spectator if `seat` is None.

    `past` contains the deal's public actions so far, which the core does not store. Raises `ValueError` if
    the seat is not at the table.
    """
    i: cython.int
    own = OwnPart() if seat is None else own_part(core, seat)
    # The arguments are positional, in the order of the fields: keyword arguments would double the time.
    return View(
        rules,
        core.n,  # players
        seat,
        core.dealer,
        core.turn,
        core.actor,
        PHASES[core.phase],  # phase
        own.hand,
        tuple([core.hn[i] for i in range(core.n)]),  # hand_sizes
        _known(core),  # known
        own.drawn,
        tuple(core.pile_cards()),  # pile
        core.stock_end - core.stock_next,  # stock
        core.restocks,
        tuple(core.restocked_cards()) if core.r1 or core.rj else (),  # restocked
        meld_views(core),  # melds
        CARDS[core.must] if core.must >= 0 else None,  # must_use
        bool(core.claiming),  # only_taken
        tuple(core.taken_cards()) if core.phase == PHASE_USE else (),  # taken
        CARDS[core.ban] if core.ban >= 0 else None,  # banned
        bool(core.floater),  # floater
        bool(core.progress),  # progress
        tuple([core.laid[i] for i in range(core.n)]),  # laid
        tuple([core.totals[i] for i in range(core.n)]),  # totals
        core.number,
        core.idle,  # idle_turns
        core.passes,
        past,
        result_of(core),  # result
        own.legal,
    )


def own_part(core: Core, seat: int) -> OwnPart:
    """Return the part of the view that only this seat may see.

    Raises `ValueError` if the seat is not at the table.
    """
    if not 0 <= seat < core.n:
        raise ValueError(f"seat {seat} is not at this table: seats are 0 to {core.n - 1}")
    acting = seat == core.actor and core.phase != PHASE_OVER
    return OwnPart(
        tuple(core.hand_cards(seat)),
        CARDS[core.drawn] if seat == core.turn and core.drawn >= 0 else None,
        tuple(core.legal(Moves())) if acting else (),
    )


def _known(core: Core) -> tuple[tuple[Card, ...], ...]:
    """Return, by seat, the cards in hand that the whole table knows."""
    seat: cython.int
    return tuple(
        [tuple(core.known_cards(seat)) if core.k1[seat] or core.kj[seat] else () for seat in range(core.n)]
    )


def result_of(core: Core) -> Result | None:
    """Return the result of a finished deal with all hands shown (D22), None while the deal is in progress."""
    if core.phase != PHASE_OVER:
        return None
    i: cython.int
    return Result(
        reason=REASONS[core.reason],
        out=core.out if core.out >= 0 else None,
        melded=tuple([core.laid[i] for i in range(core.n)]),
        held=tuple([core.held(i) for i in range(core.n)]),
        deducted=tuple([core.deduction(i) for i in range(core.n)]),
        collected=tuple([core.collected(i) for i in range(core.n)]),
        bonus=tuple([core.bonus_of(i) for i in range(core.n)]),
        points=tuple([core.score(i) for i in range(core.n)]),
        hands=tuple([tuple(core.hand_cards(i)) for i in range(core.n)]),
    )


def meld_views(core: Core) -> tuple[MeldView, ...]:
    """Return the melds on the table."""
    i: cython.int
    return tuple([_meld_view(i, core.meld[i], core.owner[i]) for i in range(core.meld_n)])


@lru_cache(maxsize=16_384)
def _meld_view(number: int, meld: int, owner: int) -> MeldView:
    seats = seats_of_cards(meld, owner)
    placed = tuple(
        Placed(laid.card, laid.place, seat) for laid, seat in zip(laid_cards(meld), seats, strict=True)
    )
    return MeldView(number, shape_of(meld), placed, owner_of(owner), laid_at_once(meld))
