"""Writes positions as text: one line for each thing on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rum500.cards import card_text, cards_text
from rum500.rules.notation import laid_text
from rum500.state.core_setup import default_deal_number
from rum500.state.position_data import MeldData, PositionData
from rum500.state.rules_text import rules_lines
from rum500.view import Phase

HEAD = "rum500 position 1"
SPECTATOR = "spectator"


def write(data: PositionData) -> str:
    """Return the text of a position file."""
    return "\n".join([HEAD, *rules_lines(data.rules), *_table(data), *_turn(data)]) + "\n"


def _table(data: PositionData) -> Iterator[str]:
    yield f"players: {data.players}"
    if not data.complete:
        yield f"seat: {SPECTATOR if data.seat is None else data.seat}"
    yield f"dealer: {data.dealer}"
    yield f"totals: {_numbers(data.totals)}"
    if data.number != default_deal_number(data.totals):
        yield f"deal: {data.number}"
    for seat in range(data.players):
        yield _line(f"hand {seat}", _hand(data, seat))
    for seat in range(data.players):
        if data.known[seat] and data.shown(seat):
            yield f"known {seat}: {cards_text(data.known[seat])}"
    yield _line("pile", cards_text(data.pile))
    if data.stock is not None:
        yield _line("stock", cards_text(data.stock))
    else:
        yield f"stock: {data.stock_size} cards"
    if data.restocked:
        yield f"restocked: {cards_text(data.restocked)}"
    for number, meld in enumerate(data.melds, 1):
        yield f"meld {number} by {meld.owner}: {meld_text(meld)}"
    yield f"laid: {_numbers(data.laid)}"


def _hand(data: PositionData, seat: int) -> str:
    if data.shown(seat):
        return cards_text(data.hands[seat])
    known = f", known {cards_text(data.known[seat])}" if data.known[seat] else ""
    return f"{data.sizes[seat]} cards{known}"


def meld_text(meld: MeldData) -> str:
    """Return the cards of a meld as text: `@seat` marks a card of another seat, `+` a card laid later."""
    words = laid_text(meld.cards, meld.cards).split()
    for i, placed in enumerate(meld.cards):
        later = "+" if i == meld.later else ""
        words[i] = later + words[i] + (f"@{placed.seat}" if placed.seat != meld.owner else "")
    return " ".join(words) + (" at once" if meld.at_once else "")


def _turn(data: PositionData) -> Iterator[str]:
    yield f"turn: {data.turn}"
    if data.actor != data.turn:
        yield f"actor: {data.actor}"
    yield f"phase: {data.phase.name.lower()}"
    for key, card in (("drawn", data.drawn), ("must use", data.must), ("banned", data.banned)):
        if card is not None:
            yield f"{key}: {card_text(card)}"
    if data.taken:
        yield f"taken: {cards_text(data.taken)}"
    for key, true, usual in (
        ("called", data.called, False),
        ("floater", data.floater, data.phase is Phase.DRAW and data.sizes[data.turn] == 0),
        ("progress", data.progress, data.phase is Phase.PLAY),
    ):
        if true != usual:
            yield f"{key}: {'yes' if true else 'no'}"
    yield from _history(data)


def _history(data: PositionData) -> Iterator[str]:
    for key, number in (("idle", data.idle), ("passes", data.passes), ("restocks", data.restocks)):
        if number:
            yield f"{key}: {number}"
    if data.rng:
        yield f"rng: {data.rng:016x}"
    if data.reason is not None:
        yield f"ended: {data.reason}" + (f" by {data.out}" if data.out is not None else "")
    if data.past:
        yield f"course: {_numbers(data.past)}"
    if data.draws:
        yield f"draws: {cards_text(data.draws)}"


def _line(key: str, value: str) -> str:
    return f"{key}: {value}".rstrip()


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
