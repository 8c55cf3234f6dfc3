"""Score sheets and the end of a match, in the form of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rum500.match import DealScore, Match, MatchResult, sheet_of
from rum500.match import SheetLine as Line
from rum500.rules.ruleset import Ruleset
from rum500.server.messages import DealResult, MatchEnd, ScoreSheet, ScoreSheetLine
from rum500.server.messages.render import placed
from rum500.view import MeldView


def score_sheet(match: Match) -> ScoreSheet:
    """Return the score sheet of the deal that was just settled."""
    assert match.state is not None
    score, melds = match.sheet[-1], match.state.melds
    lines = sheet_of(match.rules, match.events, melds, score.result)
    columns = [[sheet_line(match.rules, seat, line, melds) for line in row] for seat, row in enumerate(lines)]
    return ScoreSheet(lines=columns, **_points(score))


def _points(score: DealScore) -> dict[str, Any]:
    """Return the fields of `DealPoints` for the score of a deal."""
    return {
        "number": score.number,
        "reason": score.result.reason,
        "out": score.result.out,
        "points": list(score.result.points),
        "accounts": list(score.points),
        "totals": list(score.totals),
    }


def sheet_line(rules: Ruleset, seat: int, line: Line, melds: Sequence[MeldView]) -> ScoreSheetLine:
    """Return a line of a seat's score sheet."""
    meld = None if line.meld is None else melds[line.meld]
    run = meld is not None and meld.kind == "run"
    return ScoreSheetLine(
        kind=line.kind,  # type: ignore[arg-type]
        cards=placed(rules, line.cards, seat, run=run),
        each=list(line.each),
        points=line.points,
        doubled=line.doubled,
        owner=None if meld is None else meld.owner,
        meld_kind=None if meld is None else meld.kind,
    )


def deal_results(scores: Sequence[DealScore], names: Sequence[str]) -> tuple[DealResult, ...]:
    """Return the results of finished deals; `names[player]` is the name of a player."""
    return tuple(
        DealResult(dealer=score.dealer, names=[names[player] for player in score.seating], **_points(score))
        for score in scores
    )


def match_end(result: MatchResult, names: Sequence[str]) -> MatchEnd:
    """Return the end of the match; `names[player]` is the name of a player."""
    return MatchEnd(
        reason=result.reason,
        winners=list(result.winners),
        quitters=[player for row in result.standings if row.left for player in row.players],
        drawn=result.drawn,
        bonus=result.bonus,
        names=list(names),
        rows=[list(row.players) for row in result.standings],
        totals=list(result.totals),
        final=list(result.final),
        payments=[(list(owed.payer), list(owed.payee), owed.points) for owed in result.payments],
    )
