"""Reviews of deals and records: a verdict on every decision, and summaries by seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from rum500.record import Record
from rum500.review.judge import Judge
from rum500.review.loss_words import with_half
from rum500.review.played_deal import check_seat, deal_numbers
from rum500.review.verdict import CLASSES, DecisionKind, Mark, Verdict
from rum500.rules.action_codes import encode

FEWEST = 30
"""The smallest number of counted decisions for a mean loss; a mean of fewer would be chance."""


class Reviewed(NamedTuple):
    """A play of a record that was judged."""

    deal: int
    """The number of the deal, from 1."""
    step: int
    """The number of the play in the deal, from 1."""
    seat: int
    """The seat that played."""
    verdict: Verdict | None
    """The verdict; None for a play without alternatives."""


def review(
    record: Record, judge: Judge, deals: Sequence[int] | None = None, seat: int | None = None
) -> Iterator[Reviewed]:
    """Yield this seat's plays of these deals with their verdicts, in order; by default, all plays.

    Plays of stand-ins (`DealRecord.stand_ins`) are skipped: they are not the player's. The record must be
    correct (`Record.verify`). Raises `IllegalPlay` or `ValueError` if it is not, and `IndexError` for a deal
    or a seat that the record does not have.
    """
    if seat is not None:
        check_seat(seat, record.players)
    for deal in deal_numbers(record, deals):
        stand_ins = record.deals[deal - 1].stand_ins
        for step in record.replay(deal):
            actor = step.state.actor
            if seat in (None, actor) and step.number not in stand_ins:
                verdict = judge.judge(step.state.view(actor), encode(step.action), deal, step.number)
                yield Reviewed(deal, step.number, actor, verdict)


@dataclass(frozen=True, slots=True)
class DecisionTally:
    """The decisions that count in a seat's summary: all decisions, or the decisions of one kind."""

    counted: int
    """The number of decisions that count."""
    loss: float
    """The sum of their losses in even-score points. It is *not* the points given away; see `mean_loss`."""
    marks: tuple[int, ...]
    """The number of decisions with each mark of `CLASSES`."""

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a decision; None for fewer than `FEWEST` decisions.

        Use it to compare players of the same game. Losses do not add up to the points given away: a good
        play that is missed can often be made in the next turn; if it is missed again, its loss counts twice.
        """
        return self.loss / self.counted if self.counted >= FEWEST else None

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        marks = {str(mark): number for mark, number in zip(CLASSES, self.marks, strict=True)}
        data: dict[str, Any] = {"counted": self.counted, "marks": marks}
        if self.mean_loss is not None:
            data["mean_loss"] = round(self.mean_loss, 3)
        return data


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A summary of the decisions of a seat."""

    seat: int
    """The seat."""
    forced: int
    """The number of plays without alternatives, which do not count."""
    decided: int
    """The number of decisions that could not change who wins the match, which do not count."""
    total: DecisionTally
    """All counted decisions."""
    kinds: tuple[tuple[DecisionKind, DecisionTally], ...]
    """The counted decisions by kind, without kinds that did not occur."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "seat": self.seat,
            "forced": self.forced,
            "decided": self.decided,
            **self.total.as_dict(),
            "kinds": {str(kind): tally.as_dict() for kind, tally in self.kinds},
        }


def summary(reviewed: Iterable[Reviewed], seats: Iterable[int]) -> tuple[SeatSummary, ...]:
    """Return the summaries of these seats."""
    plays = list(reviewed)
    return tuple(_summary(seat, [play for play in plays if play.seat == seat]) for seat in seats)


def _summary(seat: int, plays: Sequence[Reviewed]) -> SeatSummary:
    verdicts = [play.verdict for play in plays if play.verdict is not None]
    counted = [verdict for verdict in verdicts if verdict.counted]
    kinds = tuple(
        (kind, _tally(some)) for kind in DecisionKind if (some := [v for v in counted if v.kind is kind])
    )
    return SeatSummary(seat, len(plays) - len(verdicts), len(verdicts) - len(counted), _tally(counted), kinds)


def _tally(verdicts: Sequence[Verdict]) -> DecisionTally:
    marks = tuple(sum(verdict.mark is mark for verdict in verdicts) for mark in CLASSES)
    return DecisionTally(len(verdicts), sum(verdict.loss for verdict in verdicts), marks)


# --- remarks in the record ---------------------------------------------------------------------------

_REMARK = re.compile(r"\?[!?]? −\d+( ±\d+)?: .*")
_BETWEEN = " | "


def annotated(record: Record, reviewed: Iterable[Reviewed]) -> Record:
    """Return a copy of the record with a remark after each marked play, such as `?? −18 ±2: lay 8C`.

    Remarks of an earlier review of the same plays are replaced; other remarks stay.
    """
    copy = deepcopy(record)
    for play in reviewed:
        comments, at = copy.deals[play.deal - 1].comments, play.step - 1
        kept = [part for part in comments.pop(at, "").split(_BETWEEN) if part and not _REMARK.fullmatch(part)]
        if play.verdict is not None and play.verdict.mark.sign:
            kept.insert(0, remark(play.verdict))
        if kept:
            comments[at] = _BETWEEN.join(kept)
    for deal in copy.deals:
        deal.comments = dict(sorted(deal.comments.items()))
    return copy


def remark(verdict: Verdict) -> str:
    """Return the remark of a marked decision: `?!`, `?` or `??`, the loss with half its interval, and the
    better play.

    The loss is in even-score points, rounded.
    """
    loss = with_half(verdict.loss, verdict.half, 0).replace("± ", "±")
    return f"{verdict.mark.sign} −{loss}: {verdict.best}"


def worst_first(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts, worst marks first, then largest losses first, then in the order played."""
    order = {mark: place for place, mark in enumerate((*reversed(CLASSES), Mark.DECIDED))}
    return sorted(
        verdicts, key=lambda verdict: (order[verdict.mark], -verdict.loss, verdict.deal, verdict.step)
    )
