"""A match as a record, and the inputs of a record's match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rum500.match.decisions import CutAt, Input, MatchError, PackOrder, Restock
from rum500.match.scores import DealScore, by_seat
from rum500.record import CUT, Outcome, Record, RecordedPlay
from rum500.rules.actions import Action, Draw
from rum500.rules.ruleset import Ruleset


def record_of(
    rules: Ruleset,
    names: Sequence[str],
    inputs: Iterable[Input],
    sheet: Sequence[DealScore],
    dealer: int | None,
) -> Record:
    """Return the record of a match with these inputs and finished deals.

    `dealer` is the dealer of the deal in progress.
    """
    record = Record(rules, len(names), tuple(names))
    order: tuple[int, ...] = ()
    for entry in inputs:
        match entry:
            case PackOrder(cards):
                order = cards
            case CutAt(position):
                number = len(record.deals)
                totals = by_seat(rules, sheet[number - 1].totals, len(names)) if number else ()
                deals = sheet[number].dealer if number < len(sheet) else dealer
                assert deals is not None
                deck = (*order[position:], *order[:position])
                record.add(deck, deals, totals, [(CUT, str(position))])
            case Restock(cards):
                record.deals[-1].plays.append(RecordedPlay(Draw(), cards))
            case Action():
                record.deals[-1].plays.append(RecordedPlay(entry))
    for deal, row in zip(record.deals, sheet, strict=False):
        deal.outcome = Outcome.of(row.result)
    return record


def first_dealer(record: Record) -> int | None:
    """Return the first dealer of a record's match. Raises `MatchError` if it begins in mid-match."""
    if not record.deals:
        return None
    if any(record.deals[0].totals):
        raise MatchError("match.record", "this record begins in the middle of a match")
    return record.deals[0].dealer


def inputs_of(record: Record) -> Iterator[Input]:
    """Yield the inputs with which a match replays the deals of a record.

    A deal whose cut is not recorded gets a cut of one card. Raises `MatchError` for an impossible cut.
    """
    for deal in record.deals:
        written = dict(deal.tags).get(CUT, "")
        cut = int(written) if written.isascii() and written.isdigit() else 1
        if not 0 < cut < len(deal.deck):
            raise MatchError("match.record", f"{CUT} {written!r}: no cut lifts so many cards")
        yield PackOrder((*deal.deck[-cut:], *deal.deck[:-cut]))
        yield CutAt(cut)
        for play in deal.plays:
            yield Restock(play.restock) if play.restock else play.action
