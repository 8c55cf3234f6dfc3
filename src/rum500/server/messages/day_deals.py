"""The types of deals of the day over HTTP: today's deal, results, the calendar, and proofs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
"""A date in UTC, such as `2026-11-26`."""
DayStatus = Literal["new", "playing", "over", "unfinished", "practised"]
"""`new`: not played; `playing`: in progress; `over`: played to the end on its day; `unfinished`: begun and
not ended on its day; `practised`: only played later, which does not count.
"""


class DayGame(Struct, kw_only=True):
    """The game of a day's deal."""

    day: Day
    number: int
    """The number of the deal, which increases by 1 each day."""
    profile: str
    """The name of the game's profile."""
    title: str
    """The title of the game."""
    players: int
    level: str
    """The level of the bots at the other seats."""
    status: DayStatus
    """What the guest has done with the deal."""
    table: str | None
    """The table at which the guest plays or has played it."""
    points: int | None
    """The guest's points; None unless the deal was played to the end."""


class DayProgress(Struct, frozen=True):
    """How far a guest's attempt at today's deal has come."""

    my_turn: bool
    """Whether the deal waits for the guest."""
    turn: int
    """The number of the guest's present or next turn, from 1."""
    cards: int
    """The number of cards in the guest's hand."""
    points: int
    """The points of the cards that the guest has laid."""


class DayToday(DayGame, kw_only=True):
    """Today's deal, as the lobby shows it. Before the guest's attempt ends, no field depends on its cards."""

    left_s: int
    """The seconds until midnight (UTC), when the day ends."""
    played: int
    """How many guests have played the deal to the end."""
    place: int | None
    """1 more than the number of guests with more points; None before the end."""
    club: float | None
    """The mean of `club` on the same cards; None before the end, or while it is being computed."""
    streak: int
    """The number of played days in a row. A single missed day does not end the row."""
    commitment: str
    """The commitment to the day's seed: its SHA-256 in hexadecimal."""
    next_commitment: str
    """The commitment to tomorrow's seed."""
    on_device: bool
    """Whether the deal is that of this device, without a server, so that nobody else has the same results."""
    progress: DayProgress | None
    """How far the attempt has come; None unless it is in progress."""


class DayBot(Struct):
    """A bot that played the deal several times from the guest's seat, with the same cards."""

    level: str
    games: int
    mean: float
    """Its mean points."""
    low: float
    """The lower bound of the middle half of its points."""
    high: float
    """The upper bound of the middle half of its points."""


class DayStanding(Struct):
    """A guest's result in the standing."""

    place: int
    name: str | None
    """The player's name; None for a player with whom the guest who asks has never sat at a table."""
    points: int
    mine: bool
    """Whether it is the result of the guest who asks."""


class DayStandings(Struct):
    """A part of the standing of a day's deal, best first."""

    rows: list[DayStanding]
    played: int
    """As in `DayResult`."""


class DayDecision(Struct):
    """A decision of the guest's deal."""

    frame: int
    """The index of its first frame in the replay."""
    cost: float
    """How many points it cost compared with the choice of `club`."""


class DayResult(DayGame, kw_only=True):
    """A deal that the guest has ended, or the deal of an earlier day."""

    played: int
    """How many guests have played it to the end on its day."""
    place: int | None
    """1 more than the number of guests with more points; None if the guest has no result that counts."""
    best: int | None
    """The most points of any guest."""
    counts: list[tuple[int, int]]
    """(points, number of guests) in rising order. It is empty until the guest has played the deal."""
    near: list[DayStanding]
    """The guest's neighbours in the standing, best first; empty without a result that counts."""
    bots: list[DayBot]
    """The bots that have played the deal: `club` and `expert`; all levels for a guest who is alone."""
    awaited: list[str]
    """The levels that will be in `bots` when they have played the deal."""
    costliest: DayDecision | None
    """The guest's costliest decision; None if there is none, or while it is being computed."""
    streak: int
    """As in `DayToday`."""
    on_device: bool
    """As in `DayToday`."""


class DayCell(DayGame, kw_only=True):
    """A day of the calendar."""

    club: float | None
    """The mean of `club` on the same cards; None if it is unknown, or before the end of today's attempt."""


class DayCalendar(Struct):
    """The last days, today last."""

    days: list[DayCell]
    streak: int
    """As in `DayToday`."""


class DayPlay(Struct, forbid_unknown_fields=True):
    """Whether a deal of the day is played for practice, after its day."""

    practice: bool = False


class DayProof(Struct, kw_only=True):
    """How the cards of a day's deal follow from a seed, to be checked by the page or with `rum500 verify`."""

    day: Day
    profile: str
    players: int
    context: str
    """The label and the number with which every context of its shuffle begins."""
    pack: list[str]
    """The pack in canonical order."""
    commitment: str
    """The SHA-256 of the seed, in hexadecimal."""
    seed: str
    """The seed in hexadecimal; empty until the day is over."""
