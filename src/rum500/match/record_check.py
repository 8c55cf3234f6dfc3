"""A check that no deal of a record follows the end of its match."""

from __future__ import annotations

from rum500.match.scores import ending, is_due
from rum500.record import Outcome, Record
from rum500.rules.english import counted
from rum500.rules.problems import Problem
from rum500.rules.ruleset import Ruleset


def problems_of_match(record: Record) -> list[Problem]:
    """Return the first deal that follows the end of the match, as a problem; empty if there is no such deal.

    The problem's code is `record.over`. This check relies on the totals and results that the record states;
    `Record.verify` checks them. A record that begins with totals other than zero begins in mid-match. The
    deals before it are counted as one, so this check may miss a limit of deals.
    """
    rules, deciding = record.rules, False
    outcome: Outcome | None = None
    for index, deal in enumerate(record.deals, 1):
        played = record.number(index) - 1
        accounts = (deal.totals or (0,) * record.players)[: rules.sides or record.players]
        if played:
            end = ending(rules, accounts, played, deciding, outcome)
            if end is not None:
                return [_problem(rules, end[0], index, deal.lines.get("deal"))]
            deciding = deciding or is_due(rules, accounts, played)
        outcome = deal.outcome
        if outcome is None or deal.fault is not None:
            break
    return []


def _problem(rules: Ruleset, reason: str, deal: int, line: int | None) -> Problem:
    why, rule = {
        "target": (f"{rules.target} was reached", "R-MATCH-1"),
        "deals": (f"it has {counted(rules.deals, 'deal')}", "R-MATCH-1"),
        "max_deals": (f"it has {counted(rules.max_deals, 'deal')} at most", "D23"),
    }[reason]
    message = f"the match was over before this deal: {why}"
    return Problem("record.over", f"deal {deal}", rule, message, line, None if line is None else 1)
