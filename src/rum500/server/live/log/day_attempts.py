"""Tables at which a deal of the day is played: when the day ends, and how an attempt ended."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from rum500.server.live.log.table_state import TableState
from rum500.store import DayAttempt


def end_of(day: date) -> int:
    """Return when a day ends in UTC, in ms since 1970."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    return round(midnight.timestamp() * 1000)


def is_attempt(state: TableState) -> bool:
    """Return whether the one attempt at a deal of the day is played at this table."""
    return state.tried is not None and state.tried.day is not None and not state.tried.practice


def attempt_due(state: TableState) -> int | None:
    """Return when the attempt in progress ends unfinished, in ms since 1970; None if there is none."""
    if state.ended or not is_attempt(state):
        return None
    assert state.tried is not None
    assert state.tried.day is not None
    return end_of(date.fromisoformat(state.tried.day))


def attempt_of(state: TableState) -> DayAttempt | None:
    """Return the ended attempt of this table; None for other tables, and for practice that was given up."""
    tried, match = state.tried, state.match
    if tried is None or tried.day is None or match is None or not state.ended:
        return None
    points = match.sheet[-1].points[0] if match.sheet else None
    if tried.practice and points is None:
        return None
    return DayAttempt(
        day=date.fromisoformat(tried.day).toordinal(),
        guest_id=state.host or "",
        table_id=state.table,
        status="practised" if tried.practice else "unfinished" if points is None else "over",
        points=points,
        at=state.changed_at,
    )
