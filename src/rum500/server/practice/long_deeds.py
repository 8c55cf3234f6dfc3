"""The deeds that take several deals or days: each a name, a condition in a sentence, and a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from rum500.puzzles.day_deal import DayDeal
from rum500.server.practice.day_book import SEED_BYTES, streak_at
from rum500.store import Achievement, DayAttempt, ResultRow, ReviewSum

_BAD = ("mistake", "blunder")


@dataclass(frozen=True, slots=True)
class Past:
    """What a guest has done, as far as these deeds need it."""

    guest: str
    sums: Sequence[ReviewSum]
    """The results of the reviews of the guest's deals, earliest first."""
    rows: Mapping[str, ResultRow]
    """The results of the guest's matches, by table."""
    attempts: Mapping[int, DayAttempt]
    """The attempts at deals of the day that were played to the end, by day."""
    club: Mapping[int, float]
    """The mean points of `club` on the same cards, by day."""


class Standing(NamedTuple):
    """How far a guest has come with a deed."""

    far: int
    """How far the guest is now."""
    reached: Achievement | None
    """The deed, when the guest did it first; None if the guest never did."""


class LongDeed(NamedTuple):
    """A deed that takes several deals or days."""

    name: str
    condition: str
    """The condition, in one sentence."""
    goal: int
    """How far the guest must come."""
    find: Callable[[Past, int], Standing]


LONG_DEEDS: list[LongDeed] = []
"""These deeds, in the order in which they are shown."""


def _deed(name: str, condition: str, goal: int) -> Callable[[Callable[[Past, int], Standing]], None]:
    def declare(find: Callable[[Past, int], Standing]) -> None:
        LONG_DEEDS.append(LongDeed(name, condition, goal, find))

    return declare


@_deed("clean_sheet", "Ten reviewed deals in a row without ? or ??.", 10)
def _clean_sheet(past: Past, goal: int) -> Standing:
    count, reached = 0, None
    for one in past.sums:
        if one.marks is None:
            continue
        count = 0 if any(one.marks.get(mark) for mark in _BAD) else count + 1
        row = past.rows.get(one.table_id)
        if count == goal and reached is None and row is not None:
            reached = Achievement(
                guest_id=past.guest, name="clean_sheet", at=one.at, profile=row.profile, title=row.title,
                table_id=one.table_id, deal=one.deal, frame=0,
            )  # fmt: skip
    return Standing(count, reached)


@_deed("seven_days", "Played the deal of the day seven days running.", 7)
def _seven_days(past: Past, goal: int) -> Standing:
    counts = {day: streak_at(past.attempts.keys(), day) for day in sorted(past.attempts)}
    return _by_day(past, "seven_days", goal, counts)


@_deed("ahead_of_club", "Beat Club on the same cards five days running.", 5)
def _ahead_of_club(past: Past, goal: int) -> Standing:
    counts: dict[int, int] = {}
    for day, one in sorted(past.attempts.items()):
        ahead = one.points is not None and day in past.club and one.points > past.club[day]
        counts[day] = counts.get(day - 1, 0) + 1 if ahead else 0
    return _by_day(past, "ahead_of_club", goal, counts)


def _by_day(past: Past, name: str, goal: int, counts: Mapping[int, int]) -> Standing:
    """Return the standing of a deed; `counts` says how far the guest was on each day, earliest first."""
    first = next((day for day, count in counts.items() if count >= goal), None)
    latest = [*counts.values()][-1] if counts else 0
    if first is None:
        return Standing(latest, None)
    attempt, rules = past.attempts[first], DayDeal(date.fromordinal(first), bytes(SEED_BYTES)).rules
    reached = Achievement(
        guest_id=past.guest, name=name, at=attempt.at, profile=rules.name, title=rules.title,
        table_id=attempt.table_id, deal=1, frame=0,
    )  # fmt: skip
    return Standing(latest, reached)
