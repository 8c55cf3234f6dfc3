"""A guest's progress: points a deal, the stairs of levels, and how older matches are examined."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from openskill.models import BradleyTerryFull

from rum500 import ruleset
from rum500.bots.staircase import steps
from rum500.puzzles.ratings import CHANCE, Rating, after
from rum500.server.guests import Names
from rum500.server.live.finished.deeds import DEEDS_VERSION
from rum500.server.practice.day_book import DayBook
from rum500.server.practice.level_place import number_of, place_of, rating_of
from rum500.server.practice.next_opponent import level_list
from rum500.server.practice.progress_book import ProgressBook
from rum500.server.practice.progress_figures import (
    club_points,
    course_of,
    interval,
    stairs_of,
    trend_of,
)
from rum500.server.work_scheduler import SERVER
from rum500.store import Achievement, DealPoints, ResultRow
from tests.support.live import Person, Room, at_each_store, at_tables
from tests.support.serving import Running
from tests.test_history import played_out
from tests.test_store_parts import result

RUM = ruleset("500-rum")
CLUB = f"level{steps(RUM, 2).index(2.0) + 1}"
"""The level with a number that plays as `club`."""


def match(number: int, points: Sequence[int], ahead: float = 0.0, **fields: Any) -> ResultRow:
    """Return the result of a match for two against bots, with these points by deal."""
    by_deal = [DealPoints(one, one + ahead) for one in points]
    common = {"players": 2, "accounts": 2, "with_people": False, "level": "club", "deals": len(points)}
    return result(f"t{number}", **common | {"points": sum(points), "by_deal": by_deal} | fields)


def ahead(number: int, *margins: float, level: str = "club", **fields: Any) -> ResultRow:
    by_deal = [DealPoints(40, margin) for margin in margins]
    return match(number, [], **{"by_deal": by_deal, "deals": len(margins), "level": level} | fields)


# --- figures ----------------------------------------------------------------------------------------------


def test_the_interval_of_a_mean_is_students() -> None:
    mean, half = interval([10, 20, 30, 40])
    assert mean == 25
    assert half == pytest.approx(3.182 * 6.454972, rel=1e-4)


def test_the_course_has_means_of_the_last_thirty_deals() -> None:
    rows = [match(number, [number, number + 2]) for number in range(1, 31)]
    course = course_of(rows)
    assert (course[0].at, course[0].deals, course[0].mean) == (5, 10, 4.0)
    assert (course[-1].at, course[-1].deals, course[-1].mean) == (30, 30, 24.0)
    assert [point.at for point in course] == sorted({point.at for point in course})
    assert course_of(rows[:4]) == []
    assert len(course_of(rows[:5])) == 1


def test_a_trend_compares_the_first_deals_with_as_many_of_the_latest() -> None:
    rows = [match(number, [10 if number <= 5 else 50] * 2) for number in range(1, 11)]
    trend = trend_of(rows)
    assert trend is not None
    assert (trend.since, trend.change, trend.half) == (5, 40, 0)
    assert trend_of(rows[:9]) is None


def test_the_points_of_club_are_those_of_the_others_in_matches_against_it() -> None:
    rows = [match(1, [40] * 10, ahead=-30), match(2, [40] * 10, level="greedy")]
    assert club_points(rows, RUM, 2) == 30
    assert club_points([*rows, match(3, [40] * 10, ahead=-10, level=CLUB)], RUM, 2) == 20
    assert club_points(rows[1:], RUM, 2) is None


# --- stairs -----------------------------------------------------------------------------------------------

CLEAR = (30.0, 10.0) * 10
"""Twenty deals ahead by 20 ± 4.7."""


def filled(*rows: ResultRow, reached: Sequence[int] = ()) -> list[str]:
    """Return the levels of the filled steps."""
    found = stairs_of(rows, RUM, 2, level_list(RUM, 2), reached)
    assert [step.level for step in found] == [f"level{number}" for number in range(1, 11)]
    return [step.level for step in found if step.filled]


def test_a_step_is_filled_by_twenty_deals_ahead_beyond_doubt() -> None:
    assert filled() == []
    assert filled(ahead(1, *CLEAR, level="level3")) == ["level3"]
    assert filled(ahead(1, *CLEAR[:-1], level="level3")) == []
    assert filled(ahead(1, *(200.0, -180.0) * 10, level="level3")) == []
    assert filled(ahead(1, *CLEAR, level="level3", with_people=True)) == []


def test_a_step_is_never_lost() -> None:
    behind = ahead(1, *(-30.0, -10.0) * 10, level="level3")
    assert filled(behind, reached=[3]) == ["level3"]


@pytest.mark.parametrize(
    ("level", "number"),
    [("level1", 1), ("level6", 6), ("level7", 7), ("level9", 9),
     ("club", steps(RUM, 2).index(2.0) + 1), ("expert", 10),
     ("random", None), ("greedy", None), ("casual", None), ("strong", None), ("my-bot", None), (None, None)],
)  # fmt: skip
def test_a_match_counts_for_the_step_with_this_number_or_the_one_that_plays_alike(
    level: str | None, number: int | None
) -> None:
    assert number_of(level, RUM, 2) == number
    if level is not None:
        assert filled(ahead(1, *CLEAR, level=level)) == ([] if number is None else [f"level{number}"])


# --- the place among the levels ---------------------------------------------------------------------------


def test_a_match_of_several_is_rated_as_openskill_does() -> None:
    model = BradleyTerryFull(mu=1500, sigma=350, beta=CHANCE, tau=8.0, kappa=0.0001)
    teams = [[model.rating()], [model.rating(1600, 100)], [model.rating(1400, 50)]]
    theirs = model.rate(teams, ranks=[2, 1, 3])[0][0]
    ours = after(Rating(1500, 350), [(Rating(1600, 100), 0), (Rating(1400, 50), 1)])
    assert ours.mean == pytest.approx(theirs.mu, abs=0.01)
    assert ours.deviation == pytest.approx(theirs.sigma, abs=0.01)


def rated(results: str, level: str | None, **fields: Any) -> float:
    rows = [
        match(at, [1], level=level, place=1 + (one == "l"), won=one == "w", **fields)
        for at, one in enumerate(results, 1)
    ]
    others = {row.table_id: [Rating(1_700.0, 50.0)] for row in rows}
    place = place_of(rating_of(rows, RUM, others))
    assert place is not None
    return round(place.level, 1)


def test_even_results_against_a_level_are_a_place_beside_it() -> None:
    assert rated("wl" * 100, "level7") == pytest.approx(7, abs=0.3)
    assert rated("wl" * 100, "club") == rated("wl" * 100, CLUB)
    assert rated("wwl" * 70, "level7") == pytest.approx(8, abs=0.3)
    assert rated("wl" * 50, None, with_people=True) == pytest.approx(6.5, abs=0.3)
    assert rating_of([match(1, [1], level="greedy")], RUM) is None


# --- from logs --------------------------------------------------------------------------------------------


def book_of(room: Room) -> ProgressBook:
    store: Any = room.tables.services.store
    days = DayBook(store, room.tables, Names(store), room.tables.services.executor)
    return ProgressBook(store, room.tables, days)


async def match_with_bots(room: Room, name: str = "Ann", **options: Any) -> Person:
    person = await room.table(name, start=True, bots=(None, "level2"), level="level2", **options)
    await room.deal([person])
    await played_out(room, [person])
    return person


@at_each_store
async def test_figures_equal_those_of_the_history(room: Room) -> None:
    for profile, players in (("500-rum", 2), ("500-rum", 2), ("michigan-rum", 2)):
        await match_with_bots(room, profile=profile, players=players, target=150)
    book = book_of(room)
    found = await book.shown("ann", SERVER, None, None)
    figures = {one.profile: one for one in await room.store.results.figures("ann")}
    assert found.waiting == 0
    assert {game.profile for game in found.games} == figures.keys()
    for game in found.games:
        one = figures[game.profile]
        assert (game.matches, game.won, game.deals) == (one.matches, one.won, one.deals)
        if game.deals >= 10:
            assert game.mean == one.points / one.deals
        else:
            assert game.mean is None
    assert found.matches == sum(one.matches for one in figures.values())
    assert found.even == pytest.approx(sum(one.even for one in figures.values()))
    for row in await room.store.results.of_guest("ann"):
        assert len(row.by_deal) == row.deals
        assert sum(one.points for one in row.by_deal) == row.points
        assert max(one.points for one in row.by_deal) == row.best_deal
    step = next(step for step in found.stairs if step.level == "level2")
    shown = next(game for game in found.games if game.profile == found.profile)
    assert (step.matches, step.won, step.deals) == (shown.matches, shown.won, shown.deals)


@at_each_store
async def test_a_deed_is_found_once_and_its_frame_shows_it(room: Room) -> None:
    book, found = book_of(room), {}
    for _ in range(12):
        person = await match_with_bots(room, target=300)
        table = person.table.id
        names = await book.deeds_at("ann", table, SERVER)
        assert not found.keys() & set(names)
        found |= dict.fromkeys(names, table)
        if "seven_high" in found or "all_at_once" in found:
            break
    assert found
    shown = await book.shown("ann", SERVER, None, None)
    for deed in shown.deeds:
        assert deed.table == found.get(deed.name)
        if deed.table is not None and deed.name == "all_at_once":
            replay = await room.tables.replay(deed.table, deed.deal)
            assert replay is not None
            events = [frame.event for frame in replay.frames[deed.frame :] if frame.event]
            assert events[-1].kind in ("over", "match_over")
    assert await room.store.results.unexamined("ann", DEEDS_VERSION) == []


@at_tables
async def test_old_matches_are_examined_in_the_background(room: Room, monkeypatch) -> None:
    monkeypatch.setattr("rum500.server.practice.progress_book.AT_ONCE", 1)
    for _ in range(3):
        await match_with_bots(room, target=40)
    book = book_of(room)
    assert len(await room.store.results.unexamined("ann", DEEDS_VERSION)) == 3
    found = await book.shown("ann", SERVER, None, None)
    assert found.waiting == 2
    while book._examining:
        await room.settle()
    later = await book.shown("ann", SERVER, None, None)
    assert later.waiting == 0
    assert sum(step.deals for step in later.stairs) == later.deals
    await book.close()


@at_tables
async def test_matches_of_a_merged_guest_count_for_the_guest_who_remains(room: Room) -> None:
    person = await match_with_bots(room, target=100)
    await room.store.guest_data.merge("ann", "zoe", 1)
    found = await book_of(room).shown("zoe", SERVER, None, None)
    assert sum(step.deals for step in found.stairs) == found.deals > 0
    assert await room.store.results.achievements("ann") == []
    names = {deed.name for deed in found.deeds if deed.at is not None}
    assert names == set(await book_of(room).deeds_at("zoe", person.table.id, SERVER))


@at_each_store
@pytest.mark.parametrize(("level", "step"), [("level3", "level3"), ("club", CLUB)])
async def test_a_filled_step_stays_when_its_matches_are_removed(room: Room, level: str, step: str) -> None:
    await room.store.results.save([ahead(5, *CLEAR, level=level, examined=DEEDS_VERSION)])
    book = book_of(room)
    first = await book.shown("ann", SERVER, "500-rum", 2)
    await room.store.results.remove("ann", "t5")
    later = await book.shown("ann", SERVER, "500-rum", 2)
    for found in (first, later):
        assert [each.level for each in found.stairs if each.filled] == [step]
    assert (first.next.level, first.to_go) == (step, None)
    assert (later.next.level, later.next.why, later.to_go, later.matches) == ("greedy", "first", None, 0)


@at_tables
async def test_a_step_that_was_stored_under_a_name_is_the_one_that_plays_alike(room: Room) -> None:
    stored = Achievement(
        guest_id="ann", name="step:500-rum:2:club", at=1, profile="500-rum", title="500 Rum", table_id=None,
        deal=0, frame=0,
    )  # fmt: skip
    await room.store.results.reach([stored])
    found = await book_of(room).shown("ann", SERVER, "500-rum", 2)
    assert [step.level for step in found.stairs if step.filled] == [CLUB]
    assert await room.store.results.achievements("ann") == [stored]


def test_progress_over_http(tmp_path: Path) -> None:
    with Running(tmp_path) as running, running.guest("Ada") as ada:
        found = ada.http.get("/api/progress").json()
        assert (found["profile"], found["matches"], len(found["stairs"]), len(found["deeds"])) == (
            "500-rum", 0, 10, 12,
        )  # fmt: skip
        other = ada.http.get("/api/progress?profile=persian-rummy&players=4").json()
        assert (other["title"], other["players"], other["to_go"]) == ("Persian Rummy", 4, 20)
        for shown in (found, other):
            path = f"/api/levels/{shown['profile']}?players={shown['players']}"
            assert shown["next"] == ada.http.get(path).json()["next"]
        assert ada.http.get("/api/progress?profile=persian-rummy&players=3").status_code == 422
        assert ada.http.get("/api/progress?profile=none").status_code == 404
        assert ada.http.get("/api/tables/unknown-table/deeds").json() == {"names": []}
