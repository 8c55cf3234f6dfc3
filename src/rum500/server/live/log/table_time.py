"""The time at one table: one `now` for a whole request, and the next moment at which something is due."""

from __future__ import annotations

from rum500.server.live.log.time_source import TimeSource


class TableTime:
    """Time as the parts of one table see it.

    Moments are seconds of the source's `now`, which only go forward.
    """

    __slots__ = ("_source", "due", "now")

    now: float
    """The moment at which the table began with the present request; it stays while that is handled."""
    due: float | None
    """The earliest moment that some part waits for; None if there is none."""

    def __init__(self, source: TimeSource) -> None:
        """Begin at the source's present moment, with nothing due."""
        self._source = source
        self.now = source.now()
        self.due = None

    def tick(self) -> None:
        """Set `now` to the source's present moment."""
        self.now = self._source.now()

    def wall(self) -> int:
        """Return the milliseconds since 1970."""
        return self._source.wall()

    def moment(self, wall: int) -> float:
        """Return the moment of a time in milliseconds since 1970."""
        return self.now - (self.wall() - wall) / 1000

    def reached(self, moment: float) -> bool:
        """Return whether this moment has come. If not, `due` is at most this moment afterwards."""
        if moment <= self.now:
            return True
        if self.due is None or moment < self.due:
            self.due = moment
        return False
