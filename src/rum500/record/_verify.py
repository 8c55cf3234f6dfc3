"""Verification of a record that could be read."""

from __future__ import annotations

from collections.abc import Iterator

from rum500.record._fair_check import fairness
from rum500.record.record_data import DealRecord, Outcome, RecordData
from rum500.rules.digest import digest
from rum500.rules.problems import Problem
from rum500.state import IllegalPlay, State


def problems(record: RecordData) -> Iterator[Problem]:
    """Yield all problems in the order of the text, the seal last."""
    if record.digest != digest(record.rules):
        message = "the rules of this name are not those that the record was played by"
        yield Problem("record.digest", "", "", message, record.lines.get("digest"), 1)
    before: tuple[int, ...] | None = (0,) * record.players if len(record.deals) > 1 else None
    for number, deal in enumerate(record.deals, 1):
        if number > 1:
            yield from _dealer_problems(record, deal, record.deals[number - 2])
        if before is not None and number > 1 and deal.totals != before:
            said, wanted = (" ".join(map(str, totals)) for totals in (deal.totals, before))
            message = f"totals {said}, but the deal before leaves {wanted}"
            yield Problem("record.totals", "", "R-MATCH-1", message, deal.lines.get("totals"), 1)
        found = list(_deal_problems(record, deal, last=number == len(record.deals)))
        yield from found
        before = None if found or deal.outcome is None else _after(record, deal)
    yield from fairness(record).problems
    yield from _seal_problems(record)


def _dealer_problems(record: RecordData, deal: DealRecord, last: DealRecord) -> Iterator[Problem]:
    """Check that the deal passes to the left."""
    wanted = (last.dealer + 1) % record.players
    if deal.dealer != wanted:
        message = f"seat {deal.dealer} deals, but the deal passes to seat {wanted}"
        yield Problem("record.dealer", "", "D15", message, deal.lines.get("dealer"), 1)


def _after(record: RecordData, deal: DealRecord) -> tuple[int, ...]:
    """Return the totals after a deal; partners have one account (R-MATCH-5)."""
    assert deal.outcome is not None
    points, seats, side = deal.outcome.points, range(record.players), record.rules.side
    return tuple(deal.totals[s] + sum(points[o] for o in seats if side(o) == side(s)) for s in seats)


def _deal_problems(record: RecordData, deal: DealRecord, *, last: bool) -> Iterator[Problem]:
    if deal.fault is not None:
        yield deal.fault
        return
    try:
        state = State.new(record.rules, record.players, deal.deck, deal.dealer, deal.totals)
    except ValueError as error:
        yield Problem("record.deck", "", "R-DEAL-2", str(error), deal.lines.get("deck"), 1)
        return
    fault = _played(state, deal)
    if fault is not None:
        yield fault
        return
    yield from _result_problems(state, deal, last=last)


def _played(state: State, deal: DealRecord) -> Problem | None:
    """Play the deal and return the first fault."""
    for play in deal.plays:
        try:
            if play.restock:
                state.restock_order(play.restock)
            state.apply(play.action)
        except IllegalPlay as error:
            refusal = error.refusal
            return Problem("record.illegal", "", refusal.rule, refusal.message, play.line, play.column)
        except ValueError as error:
            return Problem("record.restock", "", "H5", str(error), play.line, play.column)
    return None


def _result_problems(state: State, deal: DealRecord, *, last: bool) -> Iterator[Problem]:
    line = deal.lines.get("result") or max((play.line for play in deal.plays), default=0) or None
    if state.result is None:
        if deal.outcome is not None:
            yield Problem("record.result", "", "", "there is a result, but the deal goes on", line, 1)
        elif not last:
            yield Problem("record.unfinished", "", "", "the deal is unfinished, but another follows", line, 1)
        return
    found = Outcome.of(state.result)
    if deal.outcome is None:
        message = f"the deal is over ({found.reason}), and no result says so"
        yield Problem("record.no_result", "", "", message, line, 1)
    elif (deal.outcome.reason, deal.outcome.out) != (found.reason, found.out):
        message = f"the deal ended otherwise: {found.reason}" + _by(found.out)
        yield Problem("record.result", "", "", message, line, 1)
    elif deal.outcome.points != found.points:
        points = " ".join(map(str, found.points))
        yield Problem("record.points", "", "R-SCORE-1", f"the points are {points}", line, 1)


def _by(seat: int | None) -> str:
    return "" if seat is None else f" by seat {seat}"


def _seal_problems(record: RecordData) -> Iterator[Problem]:
    if record.seal == "wrong":
        message = "the checksum does not fit: something was changed since the record was closed"
        yield Problem("record.checksum", "", "", message, record.last_line, 1)
    elif record.seal == "missing":
        message = (
            "no checksum: the record was cut short or is still being written "
            "(one written by hand ends with 'checksum: none')"
        )
        yield Problem("record.truncated", "", "", message, record.last_line, 1)
