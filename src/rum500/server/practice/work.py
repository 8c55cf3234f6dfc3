"""The work of practice that runs in the processes of reviews: judging answers, making drills' questions."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rum500.match import SheetLine
from rum500.puzzles.drills import (
    Counted,
    Drill,
    DrillKind,
    count_score,
    counted,
    decision,
    guess_loss,
    guess_score,
    play_score,
    shares,
    sought,
)
from rum500.review.judge import Judge
from rum500.review.verdict import Budget, Mark
from rum500.rules.actions import Laid
from rum500.rules.profiles import profile_rules
from rum500.server.live.log.score_sheets import sheet_line
from rum500.server.messages import ScoreSheetLine
from rum500.server.messages.drills import CountQuestion, DrillResult, WhoQuestion
from rum500.server.messages.render import TEXT
from rum500.server.messages.review import ReviewVerdict
from rum500.server.practice.positions import deal_of
from rum500.server.reviewing.review_work import verdict_on
from rum500.server.reviewing.stored import StoredPosition, write
from rum500.view import View

BUDGET = "quick"
"""The budget for judging answers in drills."""


class MadeQuestion(Struct, frozen=True):
    """A question of a drill, as the worker process returns it."""

    position: StoredPosition | None
    count: CountQuestion | None = None
    who: WhoQuestion | None = None


read_question = msgspec.json.Decoder(MadeQuestion).decode
read_result = msgspec.json.Decoder(DrillResult).decode


def verdict(position: str, course: Sequence[int], play: int, budget: str) -> bytes:
    """Return the verdict on a legal play, an encoded `ReviewVerdict`.

    `position` and `course` are the fields of a `StoredPosition`; `budget` is the judge's budget.
    """
    return write(_judged(StoredPosition(position, tuple(course)).view(), play, budget))


def _judged(view: View, play: int, budget: str) -> ReviewVerdict:
    return verdict_on(view, deal_of(view), play, Judge(Budget.of(budget)), 1, 1)


# --- drills -----------------------------------------------------------------------------------------


def question(kind: str, profile: str, players: int, seed: int, number: int) -> bytes:
    """Return a question of a drill, an encoded `MadeQuestion`."""
    drill = _drill(kind, profile, players, seed)
    if drill.kind is DrillKind.COUNT:
        found = counted(drill, number)
        lines = [
            replace(line, each=[], points=line.points if line.kind == "bonus" else 0)
            for line in _lines(found)
        ]
        return write(MadeQuestion(None, count=CountQuestion(found.seat, [_bare(line) for line in lines])))
    if drill.kind is DrillKind.WHO:
        asked = sought(drill, number)
        who = WhoQuestion(TEXT[asked.card], _holders(asked.view))
        return write(MadeQuestion(StoredPosition.of(asked.view), who=who))
    return write(MadeQuestion(StoredPosition.of(decision(drill, number))))


def answer(
    kind: str,
    profile: str,
    players: int,
    seed: int,
    number: int,
    play: int,
    points: int,
    weights: Sequence[int],
) -> bytes:
    """Return the score of an answer, an encoded `DrillResult`. `play` must be legal.

    The drill's kind decides which of `play`, `points` and `weights` counts; `weights` has one number for each
    possible holder of the card.
    """
    drill = _drill(kind, profile, players, seed)
    if drill.kind is DrillKind.COUNT:
        found = counted(drill, number)
        return write(
            _result(
                count_score(found.points, points),
                abs(points - found.points),
                points=found.points,
                lines=_lines(found),
            )
        )
    if drill.kind is DrillKind.WHO:
        chances = sought(drill, number).chances
        loss = guess_loss(chances, weights)
        fields = {
            "chances": [round(one, 4) for one in chances],
            "guessed": [round(one, 4) for one in shares(weights)],
        }
        return write(_result(guess_score(loss), loss, **fields))
    judged = _judged(decision(drill, number), play, BUDGET)
    score = play_score(drill.rules, drill.players, Mark(judged.mark), judged.loss)
    return write(_result(score, judged.loss, verdict=judged))


def _drill(kind: str, profile: str, players: int, seed: int) -> Drill:
    return Drill(DrillKind(kind), profile_rules(profile), players, seed)


def _result(score: int, loss: float, **more: Any) -> DrillResult:
    empty: dict[str, Any] = {"verdict": None, "points": None, "lines": [], "chances": [], "guessed": []}
    return DrillResult(score=score, loss=round(loss, 3), **empty | more)


def _holders(view: View) -> list[int | None]:
    return [*(seat for seat in range(view.players) if seat != view.seat), None]


def _lines(found: Counted) -> list[ScoreSheetLine]:
    return [_line(found, line) for line in found.lines]


def _line(found: Counted, line: SheetLine) -> ScoreSheetLine:
    """Return a line of the score sheet; a line of the kind `collected` shows the cards of the other hands."""
    if line.kind == "collected":
        others = [hand for seat, hand in enumerate(found.result.hands) if seat != found.seat]
        line = dataclasses.replace(line, cards=tuple(Laid(card, card) for hand in others for card in hand))
    return sheet_line(found.state.rules, found.seat, line, found.state.melds)


def _bare(line: ScoreSheetLine) -> ScoreSheetLine:
    """Return a line without points, and without the information that the points are doubled."""
    return replace(line, cards=[replace(card, points=0) for card in line.cards], doubled=False)
