"""Checks that the shuffles in a record follow from their seeds, and that these fit the commitments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rum500.cards import card_from_text, card_text
from rum500.record.fair import FAIR_DRAWN, FairError, FairShuffle, commitment, middle_cut
from rum500.record.record_data import DealRecord, RecordData
from rum500.rules.problems import Problem

__all__ = ["FairnessReport", "fairness"]


class FairnessReport(NamedTuple):
    """The result of checking a record's lines about fair shuffles."""

    stated: bool
    """Whether the record has such lines."""
    decks: int
    """The number of decks that are correct."""
    restocks: int
    """The number of new stocks that are correct."""
    draws: int
    """The number of packs spread for the draw that were checked."""
    waiting: int
    """The number of unfinished deals, whose seeds are still secret."""
    problems: tuple[Problem, ...]
    """The problems found."""


@dataclass(slots=True)
class _Check:
    """A check in progress. `last` is the previous shuffle, which the next one must follow."""

    record: RecordData
    decks: int = 0
    restocks: int = 0
    draws: int = 0
    waiting: int = 0
    stated: bool = False
    last: FairShuffle | None = None
    promised: set[str] = field(default_factory=set)


def fairness(record: RecordData) -> FairnessReport:
    """Check every shuffle in the record: of the draw, of each deal, and of each new stock (H5)."""
    check = _Check(record)
    found = [*_draws(check)]
    shuffles = [_read(deal) for deal in record.deals]
    check.stated = check.stated or any(shuffle is not None for shuffle in shuffles)
    if check.stated:
        for number, (deal, shuffle) in enumerate(zip(record.deals, shuffles, strict=True), 1):
            found += _deal(check, deal, number, shuffle)
    return FairnessReport(check.stated, check.decks, check.restocks, check.draws, check.waiting, tuple(found))


def _problem(code: str, message: str, line: int | None = None) -> Problem:
    return Problem(f"record.fair_{code}", "", "R-DEAL-1", message, line, None if line is None else 1)


# --- the draw for deal ------------------------------------------------------------------------------


def _draws(check: _Check) -> Iterator[Problem]:
    """Check each pack spread for the draw. A pack's header lines begin with the line `Fair shuffle`."""
    groups: list[list[tuple[str, str]]] = []
    for tag in check.record.tags:
        if tag[0] == "Fair shuffle" or (tag[0].startswith("Fair ") and not groups):
            groups.append([])
        if tag[0].startswith("Fair "):
            groups[-1].append(tag)
    check.stated = bool(groups)
    for group in groups:
        try:
            shuffle = FairShuffle.from_tags(group)
            if shuffle is None:
                raise FairError("fair.line", "'Fair drawn' needs a line 'Fair shuffle'")
            yield from _promise(check, shuffle, "the draw", None)
            if len(shuffle.seats) not in check.record.rules.players:
                raise FairError("fair.seats", f"seeds are given for {len(shuffle.seats)} seats")
            yield from _drawn(check, shuffle, dict(group).get(FAIR_DRAWN, ""))
        except ValueError as error:
            yield _problem("line", f"the draw: {error}")


def _drawn(check: _Check, shuffle: FairShuffle, drawn: str) -> Iterator[Problem]:
    """Check that each drawn card is at its recorded position in the shuffled pack.

    The draw may have had more players than the record, because a player who resigns leaves the table.
    """
    if not shuffle.seed:
        return
    pack = shuffle.order(check.record.rules.deck(len(shuffle.seats)), "draw")
    for entry in filter(None, drawn.split(", ")):
        place, _, card = entry.partition(" ")
        if not place.isdecimal() or not 1 <= int(place) <= len(pack):
            raise FairError("fair.line", f"'Fair drawn' has places of 1 to {len(pack)}, not {place!r}")
        if pack[int(place) - 1] != card_from_text(card):
            lies = card_text(pack[int(place) - 1])
            yield _problem("draw", f"the draw: at place {place} {lies} lies by the seeds, and not {card}")
    check.draws += 1


# --- a deal -----------------------------------------------------------------------------------------


def _read(deal: DealRecord) -> FairShuffle | FairError | None:
    try:
        return FairShuffle.from_tags([*deal.tags, *deal.end_tags])
    except FairError as error:
        return error


def _deal(
    check: _Check, deal: DealRecord, number: int, shuffle: FairShuffle | FairError | None
) -> Iterator[Problem]:
    line, name = deal.lines.get("deal"), f"deal {number}"
    if isinstance(shuffle, FairError):
        yield _problem("line", f"{name}: {shuffle}", line)
    elif shuffle is None:
        yield _problem("missing", f"{name} says nothing of its shuffle, and the record elsewhere does", line)
    else:
        yield from _promise(check, shuffle, name, line)
        if len(shuffle.seats) != check.record.players:
            message = f"{name}: seeds are given for {len(shuffle.seats)} seats, of {check.record.players}"
            yield _problem("seats", message, line)
        if shuffle.seed:
            yield from _deck(check, deal, shuffle, name)
        elif deal.outcome is None:
            check.waiting += 1
        else:
            yield _problem("seed", f"{name} is over, and the server's seed is not stated", line)


def _promise(check: _Check, shuffle: FairShuffle, name: str, line: int | None) -> Iterator[Problem]:
    """Check that the server's seed is new and fits its commitment, and `shuffle` follows `check.last`."""
    last, check.last = check.last, shuffle
    if shuffle.seed and commitment(shuffle.secret) != shuffle.commitment:
        yield _problem("commitment", f"{name}: the server's seed is not the one that it was bound to", line)
    if last is not None and (shuffle.table != last.table or shuffle.number <= last.number):
        message = f"{name}: shuffle {shuffle.context} does not follow upon {last.context}"
        yield _problem("context", message, line)
    if shuffle.commitment in check.promised:
        yield _problem("commitment", f"{name}: the server's seed was used before", line)
    check.promised.add(shuffle.commitment)


def _deck(check: _Check, deal: DealRecord, shuffle: FairShuffle, name: str) -> Iterator[Problem]:
    """Check that the deck follows from the seeds and the cut, and each new stock from the seeds."""
    record, line = check.record, deal.lines.get("deck")
    pack = record.rules.deck(record.players)
    if sorted(deal.deck) != sorted(pack):
        return  # `Record.verify` reports such a deck itself
    wrong = _cut(shuffle, len(pack))
    if wrong:
        yield _problem("cut", f"{name}: {wrong}", line)
        return
    place = _differs(deal.deck, shuffle.deck(pack))
    if place is not None:
        card, wanted = (card_text(cards[place]) for cards in (deal.deck, shuffle.deck(pack)))
        message = f"{name}: the deck does not follow from the seeds and the cut: card {place + 1} is {card}"
        yield _problem("deck", f"{message}, and would be {wanted}", line)
    else:
        check.decks += 1
    for count, play in enumerate((play for play in deal.plays if play.restock), 1):
        if _differs(play.restock, shuffle.restock(count, play.restock)) is None:
            check.restocks += 1
        else:
            message = f"{name}: the order of new stock {count} does not follow from the seeds"
            yield _problem("restock", message, play.line or line)


def _cut(shuffle: FairShuffle, cards: int) -> str:
    """Return what is wrong with the cut; empty if nothing is."""
    if not 1 <= shuffle.cut < cards:
        return f"a cut lifts 1 to {cards - 1} cards, not {shuffle.cut}" if shuffle.cut else "no cut is stated"
    wanted = {"middle": middle_cut(cards), "stream": shuffle.stream_cut(cards)}.get(shuffle.cut_by)
    if wanted not in (None, shuffle.cut):
        return f"the cut by {shuffle.cut_by} lifts {wanted} cards by the seeds, not {shuffle.cut}"
    return ""


def _differs(ours: Sequence[int], theirs: Iterable[int]) -> int | None:
    """Return the lowest index at which two orders of cards differ; None if they are equal."""
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b), None)
