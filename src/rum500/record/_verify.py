"""Verification of a record that has been read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rum500.record._fair_check import fairness
from rum500.record.record_data import DealRecord, Outcome, RecordData
from rum500.rules.digest import digest
from rum500.rules.problems import Problem
from rum500.state import IllegalPlay, State


def problems(record: RecordData) -> Iterator[Problem]:
    """Yield all problems in the order of the text; problems of the checksum come last."""
    if record.digest != digest(record.rules):
        message = "the rules of this name are not those that the record was played by"
        yield Problem("record.digest", "", "", message, record.lines.get("digest"), 1)
    follows = False
    for number, deal in enumerate(record.deals, 1):
        found = list(_deal_problems(record, deal, last=number == len(record.deals)))
        place = f"deal {number}" if len(record.deals) > 1 else ""
        order = _order_problems(record, number, follows=follows) if number > 1 else ()
        yield from (replace(problem, field=place) for problem in (*order, *found))
        follows = not found and deal.outcome is not None
    yield from fairness(record).problems
    yield from _seal_problems(record)


def _order_problems(record: RecordData, number: int, *, follows: bool) -> Iterator[Problem]:
    """Yield a problem if a deal's dealer or totals do not follow from the deal before.

    Totals are checked only if the deal before is finished and correct (`follows`).
    """
    deal, last = record.deals[number - 1], record.deals[number - 2]
    dealer, totals = (last.dealer + 1) % record.players, record.totals_after(number - 1)
    if deal.dealer != dealer:
        message = f"seat {deal.dealer} deals, but the deal passes to seat {dealer}"
        yield Problem("record.dealer", "", "D15", message, _line(deal, "dealer"), 1)
    if follows and deal.totals != totals:
        found, wanted = (" ".join(map(str, each)) for each in (deal.totals, totals))
        message = f"found totals {found}, expected {wanted}: the totals after the deal before"
        yield Problem("record.totals", "", "R-MATCH-1", message, _line(deal, "totals"), 1)


def _line(deal: DealRecord, key: str) -> int | None:
    """Return the line number of this key; the deal's own line if the key is absent."""
    return deal.lines.get(key) or deal.lines.get("deal")


def _deal_problems(record: RecordData, deal: DealRecord, *, last: bool) -> Iterator[Problem]:
    if deal.fault is not None:
        yield deal.fault
        return
    try:
        state = State.new(record.rules, record.players, deal.deck, deal.dealer, deal.totals)
    except ValueError as error:
        yield Problem("record.deck", "", "R-DEAL-2", str(error), _line(deal, "deck"), 1)
        return
    fault = _played(state, deal)
    if fault is not None:
        yield fault
        return
    yield from _result_problems(state, deal, last=last)


def _played(state: State, deal: DealRecord) -> Problem | None:
    """Play the deal and return the first problem; None if there is none."""
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
        given, wanted = (each.reason + _by(each.out) for each in (deal.outcome, found))
        message = f"found the result {given}, expected {wanted}"
        yield Problem("record.result", "", "", message, line, 1)
    elif deal.outcome.points != found.points:
        given, wanted = (" ".join(map(str, each.points)) for each in (deal.outcome, found))
        message = f"found points {given}, expected {wanted}"
        yield Problem("record.points", "", "R-SCORE-1", message, line, 1)


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
