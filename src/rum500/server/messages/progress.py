"""The types of a guest's progress over HTTP: points a deal, the stairs of levels, and deeds."""

from __future__ import annotations

from msgspec import Struct

from rum500.server.messages.http import NextOpponent


class GameProgress(Struct, kw_only=True):
    """The totals of the guest's finished matches of one game with one number of players."""

    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    players: int
    matches: int
    won: int
    deals: int
    mean: float | None
    """The points a deal; None with fewer than ten deals."""
    half: float | None
    """Half the width of its 95 % interval."""


class CoursePoint(Struct):
    """The points a deal at one time, over the deals before it."""

    at: int
    """When the match of the last of these deals ended."""
    deals: int
    """The number of deals, 30 at most."""
    mean: float
    half: float
    """Half the width of the 95 % interval of the mean."""


class Trend(Struct):
    """The difference between the points a deal of the latest and of the first deals."""

    since: int
    """When the match of the last of the first deals ended."""
    change: float
    half: float
    """Half the width of its 95 % interval. The change is clear if it is larger."""


class LevelStep(Struct, kw_only=True):
    """A level with a number as a step of the stairs, with the guest's matches against it, or against the
    level with a name that plays alike.
    """

    level: str
    filled: bool
    """Whether the guest is, or was once, ahead beyond doubt over at least 20 deals."""
    matches: int
    won: int
    deals: int
    ahead: float | None
    """The guest's points minus the mean of the others', a deal; None with fewer than two deals."""
    half: float | None
    """Half the width of its 95 % interval."""


class Place(Struct):
    """The guest's place among the levels with numbers, by wins and losses against bots and people."""

    level: float
    """The level that would win half of its matches against the guest; 4.5 is between levels 4 and 5."""
    half: float
    """Half the width of its 95 % interval, in levels."""


class DeedProgress(Struct, kw_only=True):
    """A deed, and the play that proves it."""

    name: str
    at: int | None
    """When the match or day of the proof ended; None if the guest has not done it yet."""
    profile: str | None
    """The name of the proof's game."""
    title: str | None
    """The title of the proof's game."""
    table: str | None
    """The table of the proof; None if it was removed."""
    deal: int
    frame: int
    """The frame of the deal's replay that shows the play."""
    count: int | None
    """How far the guest has come, for a deed that takes several deals or days; else None."""
    of: int | None
    """How far the guest must come."""


class Progress(Struct, kw_only=True):
    """How the guest plays: in all games, and in the game that is shown."""

    waiting: int
    """The number of ended matches that are not examined yet. The figures grow until it is 0."""
    matches: int
    won: int
    even: float
    """The expected number of wins if all players were equally strong."""
    deals: int
    streak: int
    """The days with the deal of the day in a row. A single missed day does not end the row."""
    best_streak: int
    games: list[GameProgress]
    """The totals by game and number of players, the most often played first."""
    profile: str
    """The game that is shown below."""
    title: str
    players: int
    course: list[CoursePoint]
    """The points a deal over time, earliest first; empty with fewer than ten deals."""
    trend: Trend | None
    """None with fewer than twenty deals."""
    club: float | None
    """The points a deal of `club` against the guest; None with fewer than ten deals against it."""
    stairs: list[LevelStep]
    """The levels with numbers, weakest first."""
    next: NextOpponent
    """The proposal of `GET /api/levels/{profile}` for this game and number of players."""
    to_go: int | None
    """The deals against that level that are missing until there are 20; None if it has no step, or its step
    is filled.
    """
    place: Place | None
    """None without a match that counts for it."""
    deeds: list[DeedProgress]


class TableDeeds(Struct):
    """The deeds that the guest did for the first time in an ended match."""

    names: list[str]
