"""When a mistake is due again: the FSRS scheduler, in whole days of the guest's time zone.

Days are numbered as by `date.toordinal`, so that an answer in the evening and one the next morning are one
day apart. Nothing here is random or reads a clock.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo
from typing import Literal

from fsrs import Card, Scheduler, State
from fsrs import Rating as Grade
from msgspec.structs import replace

from rum500.server.push.quiet_hours import time_zone
from rum500.store import MistakeRow

Rating = Literal["again", "hard", "good", "easy"]

A_DAY = 20
"""The largest number of answers in a day."""
RETENTION = 0.85
"""A mistake is due when the estimated chance of a right answer has fallen to this."""
EASY_S = 5.0
"""A right answer within this many seconds counts as easy."""
LEARNT_FROM = 60
"""A mistake that would be due only after more days than this is learned and no longer repeated."""
_GRADES = {"again": Grade.Again, "hard": Grade.Hard, "good": Grade.Good, "easy": Grade.Easy}
# There are no steps within a day: after a wrong answer a mistake is due the next day, not in ten minutes.
_SCHEDULER = Scheduler(
    desired_retention=RETENTION, learning_steps=(), relearning_steps=(), enable_fuzzing=False
)


def day_of(now: int, zone: str) -> int:
    """Return the day of a time in ms since 1970, in this time zone; an unknown zone counts as UTC."""
    place: tzinfo
    try:
        place = time_zone(zone)
    except ValueError:
        place = UTC
    return datetime.fromtimestamp(now / 1000, place).toordinal()


def rating_of(*, right: bool, hinted: bool, seconds: float) -> Rating:
    """Return the rating of an answer.

    >>> rating_of(right=True, hinted=False, seconds=4.9), rating_of(right=True, hinted=True, seconds=2)
    ('easy', 'hard')
    """
    if not right:
        return "again"
    if hinted:
        return "hard"
    return "easy" if seconds <= EASY_S else "good"


def answered(row: MistakeRow, rating: Rating, day: int, now: int) -> MistakeRow:
    """Return a mistake's row after an answer on this day; `now` is the time in ms since 1970."""
    card = Card(
        card_id=1,
        state=State.Learning if row.stability is None else State.Review,
        stability=row.stability,
        difficulty=row.difficulty,
        due=_noon(day),
        last_review=None if row.last is None else _noon(row.last),
    )
    card, _ = _SCHEDULER.review_card(card, _GRADES[rating], _noon(day))
    due = card.due.toordinal()
    if rating == "again":
        due = day + 1
    return replace(
        row,
        seen=now,
        due=None if due - day > LEARNT_FROM else due,
        last=day,
        stability=card.stability,
        difficulty=card.difficulty,
        answers=row.answers + 1,
        right=row.right + (rating != "again"),
        hinted=False,
    )


def _noon(day: int) -> datetime:
    return datetime.combine(date.fromordinal(day), time(12), UTC)
