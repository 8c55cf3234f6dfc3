"""Quiet hours: the part of each day in which a browser is sent nothing, in its own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_DAY = 24 * 60


def time_zone(name: str) -> ZoneInfo:
    """Return the time zone with this name. Raises `ValueError` if there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError) as error:  # some names are folders of the system's data
        raise ValueError(name) from error


def quiet_until(now: int, zone: str, start: int | None, end: int | None) -> int | None:
    """Return when the quiet hours that contain `now` end; None if `now` is in none.

    `now` and the result are milliseconds since 1970, `start` and `end` minutes of the day. Hours that begin
    and end at the same minute are none. A time zone that this machine does not know counts as UTC.

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
        ends += timedelta(days=1)  # by the clock on the wall, also where a day has 23 or 25 hours
    return round(ends.timestamp() * 1000)
