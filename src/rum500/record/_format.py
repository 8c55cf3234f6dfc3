"""Writing of records: the canonical text and its checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from rum500.cards import cards_text
from rum500.record.record_data import DealRecord, Outcome, RecordData, RecordedPlay
from rum500.rules.actions import LetGo
from rum500.rules.notation import play_text
from rum500.state import IllegalPlay, State
from rum500.state.rules_text import rules_lines

HEAD = "rum500 record 1"
UNFINISHED = "unfinished"
NO_CHECKSUM = "none"
_ROW = 13
"""The number of cards in a line of the deck."""


def checksum(text: str) -> str:
    """Return the checksum of a record's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sealed_text(text: str) -> str:
    """Return a record's text followed by its checksum."""
    return f"{text}checksum: {checksum(text)}\n"


def write(record: RecordData, *, sealed: bool) -> str:
    """Return the text of the whole record, with its checksum if `sealed`."""
    lines = [*header(record)]
    for number, deal in enumerate(record.deals, 1):
        lines += ["", *deal_lines(record, deal, number)]
    text = "\n".join(lines) + "\n"
    return sealed_text(text) if sealed else f"{text}checksum: {NO_CHECKSUM}\n"


def header(record: RecordData) -> Iterator[str]:
    """Yield the lines above the first deal."""
    yield HEAD
    yield from (f"{name}: {value}".rstrip() for name, value in record.tags)
    yield from rules_lines(record.rules)
    yield f"digest: {record.digest}"
    yield f"players: {record.players}"
    yield from (f"name {seat}: {name}" for seat, name in enumerate(record.names))


def deal_lines(record: RecordData, deal: DealRecord, number: int) -> Iterator[str]:
    """Yield the lines of a deal."""
    yield from deal_head(record, number)
    turns = list(turn_lines(record, deal))
    yield from turns
    yield from deal.unread
    if not deal.unread:
        yield result_line(deal.outcome, record.names)
    yield from (f"{name}: {value}".rstrip() for name, value in deal.end_tags)


def deal_head(record: RecordData, number: int) -> Iterator[str]:
    """Yield the lines of a deal that come before its plays."""
    deal = record.deals[number - 1]
    yield f"deal: {number}"
    yield from (f"{name}: {value}".rstrip() for name, value in deal.tags)
    yield f"dealer: {deal.dealer}"
    if any(deal.totals) or deal.totals != record.totals_after(number - 1):
        yield f"totals: {' '.join(map(str, deal.totals))}"
    yield "deck:"
    yield from ("| " + cards_text(deal.deck[i : i + _ROW]) for i in range(0, len(deal.deck), _ROW))


def turn_lines(record: RecordData, deal: DealRecord) -> Iterator[str]:
    """Yield a line for each turn: `3 East: take 8C; meld 8C 9C 10C; discard KD`.

    A declined call without a remark is left out if other plays follow, because readers then infer it.
    """
    if not deal.plays:
        return
    state = State.new(record.rules, record.players, deal.deck, deal.dealer, deal.totals)
    last = max((i for i, play in enumerate(deal.plays) if not isinstance(play.action, LetGo)), default=-1)
    number, seat, words = 0, -1, list[str]()
    for i, play in enumerate(deal.plays):
        if isinstance(play.action, LetGo) and i < last and i not in deal.comments:
            _do(state, play)
            continue
        if words and state.actor != seat:
            number += 1
            yield turn_line(number, record.names[seat], words)
            words = []
        seat = state.actor
        words += play_words(play, state)
        _do(state, play)
        if i in deal.comments:
            number += 1
            yield turn_line(number, record.names[seat], words, deal.comments[i])
            words = []
    if words:
        yield turn_line(number + 1, record.names[seat], words)


def turn_line(number: int, name: str, words: Sequence[str], comment: str = "") -> str:
    """Return one turn's line."""
    suffix = f" {{{comment}}}" if comment else ""
    return f"{number} {name}: {'; '.join(words)}{suffix}"


def play_words(play: RecordedPlay, state: State) -> list[str]:
    """Return the words of a play, preceded by the order of a new stock if the play needed one."""
    text = play_text(play.action, state)
    return [f"restock {cards_text(play.restock)}", text] if play.restock else [text]


def _do(state: State, play: RecordedPlay) -> None:
    try:
        if play.restock:
            state.restock_order(play.restock)
        state.apply(play.action)
    except IllegalPlay as error:
        raise ValueError(f"this record cannot be written: {error}") from error


def result_line(outcome: Outcome | None, names: Sequence[str]) -> str:
    """Return the line that says how the deal ended."""
    if outcome is None:
        return f"result: {UNFINISHED}"
    out = "" if outcome.out is None else f" by {names[outcome.out]}"
    return f"result: {outcome.reason}{out}; points {' '.join(map(str, outcome.points))}"
