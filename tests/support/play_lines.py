"""All lines of play from a position: counted to a depth, or followed to every end of the deal."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core, Moves
from tests.support.bridge import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.reference import Reference

Ending = tuple[str | None, int | None, tuple[int, ...]]
"""Reason, who went out, points by seat."""


def fixed_order(cards: Sequence[int], seed: str) -> list[int]:
    """Return the cards in an order that depends only on the seed, without any generator."""
    keys = [hashlib.sha256(f"{seed} {number}".encode()).digest() for number in range(len(cards))]
    return [card for _, card in sorted(zip(keys, cards, strict=True))]


def engine_endings(core: Core) -> Iterator[Ending]:
    """Yield the end of every line of play; restocks keep the pile's order, as in the reference."""
    if core.phase == _core.PHASE_OVER:
        out = core.out if core.reason == _core.REASON_OUT else None
        yield REASONS[core.reason], out, tuple(core.score(seat) for seat in range(core.n))
        return
    moves = Moves()
    for code in core.legal(moves):
        child = Core()
        child.copy_from(core)
        if code == _core.DRAW and child.stock_next == child.stock_end:
            child.restock_in(child.pile_cards()[:-1])
        child.apply(code, moves)
        yield from engine_endings(child)


def reference_endings(deal: Reference) -> Counter[Ending]:
    """Return the same as `engine_endings`, from the reference."""
    result = deal.result()
    if result is not None:
        return Counter([(result.reason, result.out, tuple(result.points))])
    found: Counter[Any] = Counter()
    for play in deal.legal():
        found += reference_endings(deal.after(play))
    return found
