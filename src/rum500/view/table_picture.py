"""A picture of the table in a deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rum500.drawing import BACK, GAP, HEIGHT, LINE, STEP, WIDTH, Picture

if TYPE_CHECKING:
    from rum500.view.view import MeldView, View

_WIDTH = 760
"""The width in which piles and rows of melds are fitted."""


def meld_svg(meld: MeldView) -> str:
    """Return a picture of a meld on the table, with the seats whose cards these are."""
    picture = Picture(ground=True)
    _meld(picture, 0, 0, meld)
    text = ", ".join(f"seat {seat}" for seat in sorted({card.seat for card in meld.cards}))
    return picture.to_svg(f"meld {meld.number + 1}, {meld.kind}, of {text}")


def table_svg(view: View, hands: Sequence[Sequence[int]], label: str) -> str:
    """Return a picture of the table in this view, with these hands by seat; `BACK` is a hidden card."""
    picture = Picture(ground=True)
    rules = view.rules
    picture.words(0, 0, f"{rules.title or rules.name}, deal {view.number}", bold=True)
    picture.words(_WIDTH, 0, _waiting_for(view), colour="mut", right=True)
    y = _stock_and_pile(picture, LINE + GAP, view)
    y = _melds(picture, y, view.melds)
    for seat in range(view.players):
        y = _hand(picture, y, view, seat, hands[seat])
    return picture.to_svg(label)


def _waiting_for(view: View) -> str:
    if view.result is not None:
        out = "" if view.result.out is None else f" by seat {view.result.out}"
        return f"over: {view.result.reason.replace('_', ' ')}{out}"
    return f"seat {view.actor} to decide: {view.phase.name.lower()}"


def _stock_and_pile(picture: Picture, y: float, view: View) -> float:
    picture.words(0, y, f"Stock {view.stock}", colour="mut")
    left = WIDTH + 6 * GAP
    picture.words(left, y, f"Discard pile {len(view.pile)}", colour="mut")
    picture.cards(0, y + LINE, [BACK] if view.stock else [])
    step = min(STEP, (_WIDTH - left - WIDTH) / max(1, len(view.pile) - 1))
    picture.cards(left, y + LINE, view.pile, step=step)
    return y + LINE + HEIGHT + 2 * GAP


def _melds(picture: Picture, y: float, melds: Sequence[MeldView]) -> float:
    x = 0.0
    for meld in melds:
        wide = STEP * (len(meld.cards) - 1) + WIDTH
        if x and x + wide > _WIDTH:
            x, y = 0.0, y + HEIGHT + LINE + GAP
        _meld(picture, x, y, meld)
        x += wide + 3 * GAP
    return y + HEIGHT + LINE + 2 * GAP if melds else y


def _meld(picture: Picture, x: float, y: float, meld: MeldView) -> None:
    """Draw a meld with its owner below, and the seats below cards that others have laid."""
    picture.cards(x, y, [each.card for each in meld.cards], [each.place for each in meld.cards])
    others = {each.seat for each in meld.cards} != {meld.owner}
    if not others:
        picture.words(x, y + HEIGHT, f"seat {meld.owner}", colour="mut")
        return
    for at, each in enumerate(meld.cards):
        picture.words(x + at * STEP + 9, y + HEIGHT, str(each.seat), colour="mut")


def _hand(picture: Picture, y: float, view: View, seat: int, hand: Sequence[int]) -> float:
    acts = view.result is None and view.actor == seat
    points = view.laid[seat] if view.result is None else view.result.points[seat]
    total = f", total {view.totals[seat]}" if any(view.totals) else ""
    dealt = ", dealt" if view.dealer == seat else ""
    text = f"Seat {seat}: {view.hand_sizes[seat]} cards, {points} points{total}{dealt}"
    picture.rule(0, y - GAP / 2, _WIDTH)
    picture.words(0, y, text, colour="acc" if acts else "ink", bold=acts)
    if not hand:
        return y + LINE + GAP
    step = min(STEP, (_WIDTH - WIDTH) / max(1, len(hand) - 1))
    picture.cards(0, y + LINE, hand, step=step)
    return y + LINE + HEIGHT + 2 * GAP
