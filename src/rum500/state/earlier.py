"""Reconstructs an earlier moment of a deal from its past actions."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.rng import U64
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core, Moves
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.state.history import CardHistory

_GAMMA = 0x9E3779B97F4A7C15
"""The number that `rng.advance` adds to the generator's state each time."""
_MOST_REJECTED = 2
"""How many random numbers the restocks (H5) of a deal may have rejected as biased, at most."""


def copied(core: Core) -> Core:
    """Return a copy of a core."""
    twin = Core()
    twin.copy_from(core)
    return twin


def replayed(core: Core, codes: Sequence[int]) -> Core:
    """Return a copy of a core with these actions applied to it."""
    twin, moves = copied(core), Moves()
    for code in codes:
        twin.apply(code, moves)
    return twin


def earlier_core(
    rules: Ruleset, core: Core, past: tuple[int, ...], draws: tuple[int, ...], count: int
) -> Core:
    """Return the deal as it was after the first `count` entries of `past`.

    Raises `ValueError` if `past` or `draws` are unknown, or do not lead to this deal.
    """
    wanted = core.pack(past)
    opening, stocks = _opening(rules, core, past, draws)
    ordered, shuffled = _in_order(opening, past, stocks)
    # A restock of n cards uses n - 1 random numbers; very rarely a number is rejected and one more is used.
    for numbers in range(shuffled, shuffled + (_MOST_REJECTED if shuffled else 0) + 1):
        opening.rng = (core.rng - numbers * _GAMMA) & U64
        if replayed(opening, past[1:]).pack(past) == wanted:
            return replayed(opening, past[1:count])
    opening.rng = ordered.rng = core.rng
    if ordered.pack(past) != wanted:
        raise ValueError("the course of this deal does not lead to it")
    return _in_order(opening, past[:count], stocks)[0]


def _opening(
    rules: Ruleset, core: Core, past: tuple[int, ...], draws: tuple[int, ...]
) -> tuple[Core, list[int]]:
    """Return the deal before its first action, and the cards of all its stocks.

    The cards are in the order of drawing: first those drawn so far, then the present stock.
    """
    history = CardHistory(core, past, draws)
    hands = [history.first_hand(core, seat) for seat in range(core.n)]
    if any(len(hand) != core.hand_size for hand in hands):
        raise ValueError("the course of this deal does not lead to it")
    seats = [(core.dealer + 1 + turn) % core.n for turn in range(core.n)]
    dealt = [hands[seat][card] for card in range(core.hand_size) for seat in seats]
    stocks = [*draws, *core.stock_cards()]
    opening = new_core(rules, core.n, core.totals[: core.n], core.number)
    opening.set_stock([*dealt, past[0] >> 4, *stocks[: len(rules.deck(core.n)) - len(dealt) - 1]])
    opening.start(core.dealer)
    return opening, stocks


def _in_order(opening: Core, past: Sequence[int], stocks: list[int]) -> tuple[Core, int]:
    """Return the deal after these actions, and the number of swaps that shuffled its new stocks (H5).

    The replay does not shuffle again. It takes the new stocks from `stocks`, the cards of all stocks of the
    deal in the order of drawing.
    """
    core, moves = copied(opening), Moves()
    at, shuffled = core.stock_end - core.stock_next, 0
    for code in past[1:]:
        if code == _core.DRAW and core.stock_next == core.stock_end:
            size = core.pile_n - 1
            core.restock_in(stocks[at : at + size])
            at, shuffled = at + size, shuffled + size - 1
        core.apply(code, moves)
    return core, shuffled
