"""The figures of a guest's progress: points a deal, their course, and the stairs of levels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import sqrt

from rum500.intervals import error_of_mean, student
from rum500.rules.ruleset import Ruleset
from rum500.server.messages.http import LevelInfo
from rum500.server.messages.progress import CoursePoint, GameProgress, LevelStep, Trend
from rum500.server.practice.level_place import number_of
from rum500.store import ResultRow

FEWEST_DEALS = 10
"""With fewer deals there are too few for a mean."""
WINDOW = 30
"""The number of deals of each point of the course."""
COURSE_POINTS = 10
"""The largest number of points of the course."""
STEP_DEALS = 20
"""The number of deals after which a step of the stairs can be filled."""


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of at least two values, and half the width of its 95 % interval."""
    return sum(values) / len(values), student(len(values) - 1) * error_of_mean(values)


def by_game(rows: Iterable[ResultRow]) -> list[GameProgress]:
    """Return the totals of finished matches by game and number of players, the most often played first.

    The points a deal are those of the history: the final totals by the number of deals.
    """
    games: dict[tuple[str, int], list[ResultRow]] = {}
    for row in rows:
        games.setdefault((row.profile, row.players), []).append(row)
    found = []
    for (profile, players), played in games.items():
        deals = sum(row.deals for row in played)
        points = [each.points for row in played for each in row.by_deal]
        enough = deals >= FEWEST_DEALS
        found.append(
            GameProgress(
                profile=profile,
                title=played[0].title,
                players=players,
                matches=len(played),
                won=sum(row.won for row in played),
                deals=deals,
                mean=sum(row.points for row in played) / deals if enough else None,
                half=interval(points)[1] if enough and len(points) >= FEWEST_DEALS else None,
            )
        )
    return sorted(found, key=lambda game: (-game.deals, game.profile, game.players))


def _points(rows: Iterable[ResultRow]) -> list[tuple[int, int]]:
    """Return (end of the match, points) of each deal of these matches, which are in order of time."""
    return [(row.ended, each.points) for row in rows for each in row.by_deal]


def course_of(rows: Iterable[ResultRow]) -> list[CoursePoint]:
    """Return the points a deal over time; `rows` are the matches of one game, earliest first."""
    deals = _points(rows)
    if len(deals) < FEWEST_DEALS:
        return []
    count = min(COURSE_POINTS, len(deals) - FEWEST_DEALS + 1)
    parts = max(1, count - 1)
    ends = [len(deals) - (len(deals) - FEWEST_DEALS) * (count - 1 - at) // parts for at in range(count)]
    found = []
    for end in ends:
        window = deals[max(0, end - WINDOW) : end]
        found.append(CoursePoint(deals[end - 1][0], len(window), *interval([each for _, each in window])))
    return found


def trend_of(rows: Iterable[ResultRow]) -> Trend | None:
    """Return how the latest deals differ from the first ones, which are as many; None with too few deals."""
    deals = _points(rows)
    size = min(WINDOW, len(deals) // 2)
    if size < FEWEST_DEALS:
        return None
    first, last = ([points for _, points in part] for part in (deals[:size], deals[-size:]))
    change = sum(last) / size - sum(first) / size
    error = sqrt(error_of_mean(first) ** 2 + error_of_mean(last) ** 2)
    return Trend(deals[size - 1][0], change, student(2 * size - 2) * error)


def stairs_of(
    rows: Iterable[ResultRow],
    rules: Ruleset,
    players: int,
    levels: Iterable[LevelInfo],
    reached: Collection[int | None],
) -> list[LevelStep]:
    """Return the steps, weakest first, from a guest's finished matches of one game.

    The steps are the levels with numbers among `levels`. `reached` are the numbers of those that were filled
    before.
    """
    against: dict[int | None, list[ResultRow]] = {}
    for row in rows:
        if not row.with_people:
            against.setdefault(number_of(row.level, rules, players), []).append(row)
    return [
        _step(one.name, against.get(one.number, []), filled=one.number in reached)
        for one in levels
        if one.number is not None
    ]


def _step(level: str, rows: Sequence[ResultRow], *, filled: bool) -> LevelStep:
    ahead = [each.ahead for row in rows for each in row.by_deal]
    mean, half = interval(ahead) if len(ahead) > 1 else (None, None)
    clear = mean is not None and half is not None and mean > half
    return LevelStep(
        level=level,
        filled=filled or (clear and len(ahead) >= STEP_DEALS),
        matches=len(rows),
        won=sum(row.won for row in rows),
        deals=len(ahead),
        ahead=mean,
        half=half,
    )


def club_points(rows: Iterable[ResultRow], rules: Ruleset, players: int) -> float | None:
    """Return the points a deal of `club` against a guest; None with too few deals."""
    club = number_of("club", rules, players)
    points = [
        each.points - each.ahead
        for row in rows
        if not row.with_people and number_of(row.level, rules, players) == club
        for each in row.by_deal
    ]
    return sum(points) / len(points) if len(points) >= FEWEST_DEALS else None


def runs(good: Iterable[bool]) -> Iterator[int]:
    """Yield, after each value, how many values up to it were true in a row."""
    run = 0
    for one in good:
        run = run + 1 if one else 0
        yield run
