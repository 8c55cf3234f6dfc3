"""Quiet hours: the part of each day, in a browser's own time zone, in which the browser gets no messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_DAY = 24 * 60


def time_zone(name: str) -> ZoneInfo:
    """Return the time zone with this name. Raises `ValueError` if there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError) as error:  # some names are folders in the system's data
        raise ValueError(name) from error


def quiet_until(now: int, zone: str, start: int | None, end: int | None) -> int | None:
    """Return when the quiet hours that contain `now` end; None if `now` is not in quiet hours.

    `now` and the result are milliseconds since 1970, `start` and `end` minutes of the day. If the last
    two are equal or None, there are no quiet hours. An unknown time zone counts as UTC.

    >>> quiet_until(1_800_000_000_000, "UTC", 7 * 60, 9 * 60)  # 08:00
    1800003600000
    """
    if start is None or end is None or start == end:
        return None
    try:
        local = datetime.fromtimestamp(now / 1000, time_zone(zone))
    except ValueError:
        local = datetime.fromtimestamp(now / 1000, UTC)
    minute = local.hour * 60 + local.minute
    if (minute - start) % _DAY >= (end - start) % _DAY:
        return None
    ends = local.replace(hour=end // 60, minute=end % 60, second=0, microsecond=0)
    if ends <= local:
        ends += timedelta(days=1)  # by local time, even if the day has 23 or 25 hours
    return round(ends.timestamp() * 1000)
