"""The review of one finished deal: its results so far, and what is still to be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rum500.server.messages import Reason
from rum500.server.messages.review import (
    BreakdownStatus,
    DealReviewInfo,
    MarksStatus,
    MarkTally,
    ReviewVerdict,
    SeatBreakdownInfo,
)
from rum500.server.messages.table_error import TableError
from rum500.server.reviewing.stored import Decision, StoredBreakdown
from rum500.store import ReviewSum

MOST_ATTEMPTS = 3
"""After this many failures a task is given up until the next request."""


@dataclass(slots=True, eq=False)
class ReviewedDeal:
    """A finished deal of a table."""

    table: str
    number: int
    breakdown: StoredBreakdown | None = None
    breakdown_status: BreakdownStatus = "waiting"
    marks: MarksStatus = "none"
    verdicts: list[ReviewVerdict] = field(default_factory=list)
    """The verdicts, in the order in which they were found."""
    asked: bool = False
    """Whether the deal's decisions should be judged."""
    first: list[int] = field(default_factory=list)
    """The seats whose decisions are judged first."""
    pending: list[Decision] = field(default_factory=list)
    """The decisions still to be judged, in order."""
    under_way: set[int] = field(default_factory=set)
    """The steps that a process is judging."""
    saved: int = 0
    """The number of verdicts that are stored."""
    log: bytes | None = None
    """The table's log for the processes; None when there is no work."""
    attempts: Counter[str] = field(default_factory=Counter)
    """How often each task has failed."""

    @property
    def idle(self) -> bool:
        """Whether no work is pending or running."""
        return not (self.pending or self.under_way) and self.breakdown_status not in ("waiting", "running")

    def info(self) -> DealReviewInfo:
        """Return the progress of the review."""
        failed = "failed" in (self.breakdown_status, self.marks)
        known = self.breakdown
        return DealReviewInfo(
            deal=self.number,
            players=list(known.players) if known else [],
            breakdown=self.breakdown_status,
            marks=self.marks,
            judged=len(self.verdicts),
            decisions=len(known.decisions) if known else 0,
            why=TableError("review.failed").reason if failed else None,
        )

    def ask(self, seat: int | None) -> None:
        """Request verdicts on all decisions of the deal, first on those of the seat `seat` if it is given."""
        if self.marks == "done":
            return
        if self.marks in ("none", "failed"):
            self.attempts.clear()
            self.marks = "waiting"
            if self.breakdown_status == "failed":
                self.breakdown_status = "waiting"
        self.asked = True
        if seat is not None:
            self.first = [seat, *(one for one in self.first if one != seat)]
        self.sort()

    def sort(self) -> None:
        """Sort the decisions still to be judged into `pending`. If none is left, mark the review as done."""
        if not self.asked or self.breakdown is None:
            return
        judged = {verdict.step for verdict in self.verdicts}
        left = [one for one in self.breakdown.decisions if one.step not in judged | self.under_way]
        places = {seat: place for place, seat in enumerate(self.first)}
        self.pending = sorted(left, key=lambda one: (places.get(one.seat, len(places)), one.gain, one.step))
        if not left and not self.under_way:
            self.marks, self.asked = "done", False

    def take(self) -> Decision:
        """Return the next decision to judge, and mark it as under way."""
        decision = self.pending.pop(0)
        self.under_way.add(decision.step)
        self.marks = "running"
        return decision

    def put_back(self, decision: Decision) -> None:
        """Record that judging a decision failed. Queue it again unless it failed `MOST_ATTEMPTS` times."""
        self.under_way.discard(decision.step)
        self.attempts[f"step {decision.step}"] += 1
        if self.attempts[f"step {decision.step}"] >= MOST_ATTEMPTS:
            self.marks, self.asked, self.pending = "failed", False, []
        elif self.asked:
            self.pending.insert(0, decision)

    def add(self, decision: Decision, verdict: ReviewVerdict) -> None:
        """Add the verdict on a decision, after setting its `gain` and `found` from the breakdown."""
        assert self.breakdown is not None
        self.under_way.discard(decision.step)
        verdict.gain, verdict.gain_half = decision.gain, decision.half
        least = self.breakdown.judge.bounds[0]
        sure = decision.gain - decision.half >= least
        verdict.found = sure and verdict.mark == "good" and verdict.loss < least
        self.verdicts.append(verdict)
        if len(self.verdicts) == len(self.breakdown.decisions):
            self.marks = "done"

    def stop(self) -> None:
        """End the request to judge decisions: none is left, or the breakdown has failed."""
        self.asked, self.pending = False, []

    def of_seat(self, seat: int) -> list[ReviewVerdict]:
        """Return the verdicts on a seat's decisions."""
        return [verdict for verdict in self.verdicts if verdict.seat == seat]

    def tally(self, seat: int) -> MarkTally | None:
        """Return the numbers of a seat's marks; None until all decisions of the seat have verdicts."""
        assert self.breakdown is not None
        own = self.of_seat(seat)
        if self.marks == "none" and not self.verdicts:
            return None
        return tally(own) if len(own) == sum(one.seat == seat for one in self.breakdown.decisions) else None

    def seats(self) -> list[SeatBreakdownInfo]:
        """Return the breakdowns of the seats with their marks."""
        assert self.breakdown is not None
        for one in self.breakdown.info.seats:
            one.tally = self.tally(one.seat)
        return self.breakdown.info.seats

    def sums(self, at: int) -> list[ReviewSum]:
        """Return the results of the review, a row for each guest; `at` is the present time, ms since 1970."""
        assert self.breakdown is not None
        found: dict[str, ReviewSum] = {}
        for seat, guest in enumerate(self.breakdown.guests):
            if guest is not None and guest not in found:
                found[guest] = self._sum(seat, guest, at)
        return list(found.values())

    def _sum(self, seat: int, guest: str, at: int) -> ReviewSum:
        assert self.breakdown is not None
        one, marks = self.breakdown.info.seats[seat], self.tally(seat)
        bad = [verdict.kind for verdict in self.of_seat(seat) if verdict.mark in ("mistake", "blunder")]
        return ReviewSum(
            guest_id=guest,
            table_id=self.table,
            deal=self.number,
            at=at,
            play=one.own_play,
            play_error=self.breakdown.errors[seat],
            decisions=one.decisions,
            marks=None if marks is None else tally_numbers(marks),
            mistakes=None if marks is None else dict(Counter[str](bad)),
        )


def tally(verdicts: Sequence[ReviewVerdict]) -> MarkTally:
    """Return the numbers of marks; decisions that could not change who wins do not count."""
    marks = Counter(verdict.mark for verdict in verdicts)
    found = sum(verdict.found for verdict in verdicts)
    return MarkTally(
        sum(marks.values()) - marks["decided"], marks["doubtful"], marks["mistake"], marks["blunder"], found
    )


def tally_numbers(marks: MarkTally) -> dict[str, int]:
    """Return a tally as numbers by name, to store it."""
    return {name: getattr(marks, name) for name in MarkTally.__struct_fields__}


def added(tallies: Sequence[MarkTally]) -> MarkTally:
    """Return the sum of tallies."""
    return MarkTally(*(sum(getattr(one, name) for one in tallies) for name in MarkTally.__struct_fields__))


def no_review(deal: int, code: str) -> DealReviewInfo:
    """Return the information that a deal has no review; `code` is the code of the reason."""
    why: Reason = TableError(code).reason
    return DealReviewInfo(deal, [], "unavailable", "unavailable", 0, 0, why)
