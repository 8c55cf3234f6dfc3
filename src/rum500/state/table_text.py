"""A deal as text for people, with all cards shown."""

from __future__ import annotations

from rum500.cards import cards_text
from rum500.rules.engine.core import Core
from rum500.rules.notation import laid_text
from rum500.rules.ruleset import Ruleset
from rum500.view import Phase, meld_views, result_of


def table_text(rules: Ruleset, core: Core) -> str:
    """Return the table in lines: pile and stock, the melds, each hand, and the seat that has to decide."""
    result = result_of(core)
    lines = [
        f"{rules.title or rules.name}, deal {core.number}, {core.n} players, seat {core.dealer} dealt",
        f"stock: {core.stock_end - core.stock_next} cards",
        f"pile: {cards_text(core.pile_cards()) or 'empty'}",
    ]
    lines += [
        f"meld {meld.number + 1} of seat {meld.owner}: {laid_text(meld.cards, meld.cards)}"
        for meld in meld_views(core)
    ]
    for seat in range(core.n):
        points = core.laid[seat] if result is None else result.points[seat]
        hand = cards_text(core.hand_cards(seat)) or "empty"
        lines.append(
            f"seat {seat}: {core.hn[seat]} cards, {points} points, total {core.totals[seat]}: {hand}"
        )
    if result is None:
        lines.append(f"to decide: seat {core.actor}, {Phase(core.phase).name.lower()}")
    else:
        lines.append(f"over: {result.reason}" + ("" if result.out is None else f" by seat {result.out}"))
    return "\n".join(lines)
