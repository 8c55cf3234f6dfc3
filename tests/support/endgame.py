"""Exhaustive look-ahead if nothing is hidden: every line to the end, between two seats or two sides."""

from __future__ import annotations

from collections.abc import Callable

from rum500.rules.engine.core import PHASE_OVER, Core, Moves

Worth = Callable[[Core, int], int]


def lead(core: Core, seat: int) -> int:
    """Return by how many points a seat, or its side, leads in a deal that is over."""
    return sum(core.score(each) * (1 if allied(each, seat) else -1) for each in range(core.n))


def allied(one: int, other: int) -> bool:
    """Return whether two seats are on one side: of four players, those who face each other."""
    return (one - other) % 2 == 0


def values(core: Core, seat: int, worth: Worth = lead) -> dict[int, int]:
    """Return, by action, the value of the end for a seat if both sides play perfectly."""
    known: dict[tuple[object, ...], int] = {}
    moves = Moves()
    return {code: _value(_after(core, code, moves), seat, known, moves, worth) for code in core.legal(moves)}


def _value(core: Core, seat: int, known: dict[tuple[object, ...], int], moves: Moves, worth: Worth) -> int:
    if core.phase == PHASE_OVER:
        return worth(core, seat)
    key = _key(core)
    if key not in known:
        found = [_value(_after(core, code, moves), seat, known, moves, worth) for code in core.legal(moves)]
        known[key] = max(found) if allied(core.actor, seat) else min(found)
    return known[key]


def _after(core: Core, code: int, moves: Moves) -> Core:
    twin = Core()
    twin.copy_from(core)
    twin.apply(code, moves)
    return twin


def _key(core: Core) -> tuple[object, ...]:
    """Return everything that can affect the rest of the deal."""
    hands = tuple(tuple(core.hand_cards(seat)) for seat in range(core.n))
    table = tuple(sorted(meld & (1 << 50) - 1 for meld, _ in core.melds()))
    turn = (
        core.actor,
        core.turn,
        core.phase,
        core.must,
        core.ban,
        core.claiming,
        core.floater,
        core.progress,
    )
    taken = tuple(core.taken_cards()) if core.phase == 1 else ()
    clock = (core.idle, core.passes, core.restocks)
    return (
        hands,
        tuple(core.pile_cards()),
        tuple(core.stock_cards()),
        table,
        turn,
        taken,
        clock,
        tuple(core.laid),
    )
