"""Writing of positions as text: one line for each thing on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rum500.cards import card_text, cards_text
from rum500.rules.notation import laid_text
from rum500.state.core_setup import usual_number
from rum500.state.position_data import Facts, MeldFact
from rum500.state.rules_text import rules_lines
from rum500.view import Phase

HEAD = "rum500 position 1"
SPECTATOR = "spectator"


def write(facts: Facts) -> str:
    """Return the whole file."""
    return "\n".join([HEAD, *rules_lines(facts.rules), *_table(facts), *_turn(facts)]) + "\n"


def _table(facts: Facts) -> Iterator[str]:
    yield f"players: {facts.players}"
    if not facts.complete:
        yield f"seat: {SPECTATOR if facts.seat is None else facts.seat}"
    yield f"dealer: {facts.dealer}"
    yield f"totals: {_numbers(facts.totals)}"
    if facts.number != usual_number(facts.totals):
        yield f"deal: {facts.number}"
    for seat in range(facts.players):
        yield _line(f"hand {seat}", _hand(facts, seat))
    for seat in range(facts.players):
        if facts.known[seat] and facts.shown(seat):
            yield f"known {seat}: {cards_text(facts.known[seat])}"
    yield _line("pile", cards_text(facts.pile))
    if facts.stock is not None:
        yield _line("stock", cards_text(facts.stock))
    else:
        yield f"stock: {facts.stock_size} cards"
    if facts.restocked:
        yield f"restocked: {cards_text(facts.restocked)}"
    for number, meld in enumerate(facts.melds, 1):
        yield f"meld {number} by {meld.owner}: {meld_text(meld)}"
    yield f"laid: {_numbers(facts.laid)}"


def _hand(facts: Facts, seat: int) -> str:
    if facts.shown(seat):
        return cards_text(facts.hands[seat])
    known = f", known {cards_text(facts.known[seat])}" if facts.known[seat] else ""
    return f"{facts.sizes[seat]} cards{known}"


def meld_text(meld: MeldFact) -> str:
    """Return the cards of a meld: `@seat` for a card laid by another seat, `+` for one laid later."""
    words = laid_text(meld.cards, meld.cards).split()
    for i, placed in enumerate(meld.cards):
        later = "+" if i == meld.later else ""
        words[i] = later + words[i] + (f"@{placed.seat}" if placed.seat != meld.owner else "")
    return " ".join(words) + (" at once" if meld.at_once else "")


def _turn(facts: Facts) -> Iterator[str]:
    yield f"turn: {facts.turn}"
    if facts.actor != facts.turn:
        yield f"actor: {facts.actor}"
    yield f"phase: {facts.phase.name.lower()}"
    for key, card in (("drawn", facts.drawn), ("must use", facts.must), ("banned", facts.banned)):
        if card is not None:
            yield f"{key}: {card_text(card)}"
    if facts.taken:
        yield f"taken: {cards_text(facts.taken)}"
    for key, true, usual in (
        ("called", facts.called, False),
        ("floater", facts.floater, facts.phase is Phase.DRAW and facts.sizes[facts.turn] == 0),
        ("progress", facts.progress, facts.phase is Phase.PLAY),
    ):
        if true != usual:
            yield f"{key}: {'yes' if true else 'no'}"
    yield from _history(facts)


def _history(facts: Facts) -> Iterator[str]:
    for key, number in (("idle", facts.idle), ("passes", facts.passes), ("restocks", facts.restocks)):
        if number:
            yield f"{key}: {number}"
    if facts.rng:
        yield f"rng: {facts.rng:016x}"
    if facts.reason is not None:
        yield f"ended: {facts.reason}" + (f" by {facts.out}" if facts.out is not None else "")
    if facts.past:
        yield f"course: {_numbers(facts.past)}"


def _line(key: str, value: str) -> str:
    return f"{key}: {value}".rstrip()


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
