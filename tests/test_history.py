"""A guest's ended matches and unfinished tables: what the store keeps, and what is sent over HTTP."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from sqlalchemy import create_engine, delete

from rum500.record import Record
from rum500.server import messages
from rum500.server.work_scheduler import SERVER
from rum500.store import ResultRow, database_path
from rum500.store.schema import results
from tests.support.live import Person, Room, at_tables
from tests.support.serving import Guest, Running, Socket
from tests.support.table_choice import advised, answer, facts_of, question
from tests.test_live_races import one_step


async def played_out(room: Room, people: list[Person]) -> None:
    """Play until the match is over."""
    while people[0].shared["status"] == "playing":
        await one_step(room, people)


async def rows_of(room: Room, *people: Person) -> list[ResultRow]:
    """The only result of each of these people."""
    found = []
    for person in people:
        (row,) = await room.store.results.of_guest(person.guest.id)
        found.append(row)
    return found


@at_tables
async def test_the_end_of_a_match_is_kept_for_each_of_its_people(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cat"), target=60)
    assert await room.store.results.of_guest("ann") == []
    await played_out(room, people)
    end, scores = people[0].shared["result"], people[0].shared["scores"]
    best = sorted(end.final, reverse=True)
    for person, row in zip(people, await rows_of(room, *people), strict=True):
        state = person.table.log.state
        player = state.player_of(person.guest.id)
        account = next(number for number, players in enumerate(end.rows) if player in players)
        final = end.final[account]
        assert (row.status, row.players, row.accounts, row.deals) == ("over", 3, 3, len(scores))
        assert row.won == (player in end.winners) == (row.place == 1)
        assert row.place == 1 + sum(other > final for other in end.final)
        assert row.points == final
        assert row.margin == (final - best[1] if row.won else final - best[0])
        assert row.best_deal == max(score.points[person.seat] for score in scores)
        assert sorted(row.opponents) == sorted({"Ann", "Ben", "Cat"} - {person.guest.name})
        assert (row.partners, row.with_people, row.level) == ([], True, None)


@at_tables
async def test_sides_win_together(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cat", "Dan"), profile="partnership-500-rum", target=60)
    await played_out(room, people)
    found = await rows_of(room, *people)
    by_seat = {person.seat: row for person, row in zip(people, found, strict=True)}
    for seat, row in by_seat.items():
        partner = by_seat[(seat + 2) % 4]
        assert (row.points, row.margin, row.place) == (partner.points, partner.margin, partner.place)
        assert row.partners == [next(person.guest.name for person in people if person.seat == (seat + 2) % 4)]
        assert len(row.opponents) == 2
        assert row.accounts == 2
    assert sorted(row.place for row in found) == [1, 1, 2, 2]


@at_tables
async def test_who_resigns_comes_last_and_an_abandoned_match_has_no_places(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cat"), target=120)
    while len(people[0].shared["scores"]) < 1:
        await one_step(room, people)
    await people[1].ask(messages.Resign)
    await played_out(room, [people[0], people[2]])
    quitter, *others = await rows_of(room, people[1], people[0], people[2])
    assert quitter.place == 3
    assert sorted(row.place for row in others) == [1, 2]

    ann, ben = await room.at_play(("Amy", "Bob"), target=2000)
    while len(ann.shared["scores"]) < 1:
        await one_step(room, [ann, ben])
    for person in (ann, ben):
        await person.ask(messages.Vote, on="abandon")
    assert ann.shared["status"] == "abandoned"
    for row in await rows_of(room, ann, ben):
        assert (row.status, row.place, row.margin, row.won, row.deals) == ("abandoned", None, None, False, 1)
        assert row.points == row.best_deal


@at_tables
async def test_old_results_are_computed_for_those_who_are_still_there(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cat"), target=60)
    await played_out(room, people)
    table, wanted = people[0].table.id, (await rows_of(room, *people))[2]
    await room.store._change(statements=[(delete(results), None)])
    await room.store.guest_data.delete("ben", 1)
    await room.store.guest_data.merge("cat", "kim", 1)
    await room.tables.save_results("ann", SERVER)
    assert await room.store.results.of_guest("ben") == await room.store.results.of_guest("cat") == []
    assert await room.store.results.of_guest("kim") == [replace(wanted, guest_id="kim")]
    assert [row.table_id for row in await room.store.results.of_guest("ann")] == [table]


@at_tables
async def test_figures_count_finished_matches_by_game(room: Room):
    for profile in ("500-rum", "500-rum", "michigan-rum"):
        await played_out(room, await room.at_play(target=40, profile=profile))
    rows = await room.store.results.of_guest("ann")
    figures = await room.store.results.figures("ann")
    assert [one.profile for one in figures] == ["500-rum", "michigan-rum"]
    for one in figures:
        own = [row for row in rows if row.profile == one.profile]
        assert (one.matches, one.even) == (len(own), len(own) / 2)
        assert one.won == sum(row.won for row in own)
        assert (one.deals, one.points) == (sum(row.deals for row in own), sum(row.points for row in own))
        assert one.best_deal == max(row.best_deal or 0 for row in own)


@at_tables
async def test_a_table_waits_for_who_has_to_decide_in_memory_or_not(room: Room):
    people = await room.at_play(target=2000)
    ann = people[0]
    for _ in range(40):
        state = ann.table.log.state
        standing = await room.tables.standing(state.table)
        decides = {person.guest.id for person in people if person.may}
        if state.waiting_for == "play":
            assert standing.waits_for == decides
        assert standing.scores == state.match.accounts  # type: ignore[union-attr]
        await one_step(room, people)
    table = ann.table.log.state.table
    before = await room.tables.standing(table)
    for person in people:
        await person.leave()
    await room.pass_time(200)
    assert len(room.tables) == 0
    assert await room.tables.standing(table) == before
    assert await room.tables.standing(table) is await room.tables.standing(table)
    again = [await room.join(table, name) for name in ("Ann", "Ben")]
    await one_step(room, again)
    for person in again:
        await person.leave()
    await room.pass_time(200)
    assert (await room.tables.standing(table)).number > before.number


def play(talk: Socket, dice: random.Random, *, once: bool = False) -> None:
    """Answer what the table asks until the match is over; `once`: until a play is asked for."""
    facts: dict[str, Any] = facts_of(talk.sync)
    asked = None
    while facts["status"] == "playing":
        wanted = question(facts)
        if once and wanted is not None and wanted[0] == "play":
            return
        if wanted is None or wanted == asked:
            facts.update(facts_of(talk.hear()))
            continue
        asked, said = wanted, answer(wanted, facts, dice)
        heard = len(talk.seen)
        reply = talk.ask(said.pop("type"), **said)
        if reply["type"] == "answer":
            ways = [way["play"] for way in reply.get("options", [])]
            chosen = advised(facts, ways, dice)
            assert chosen is not None
            talk.ask(chosen.pop("type"), **chosen)
        for message in talk.seen[heard:]:
            facts.update(facts_of(message))


def play_out(guest: Guest, **options: Any) -> str:
    """A match of this guest against a bot, to its end, and its table."""
    table = guest.table(target=30, bots=[None, "greedy"], start=True, **options)
    with guest.join(table) as talk:
        play(talk, random.Random(1))
    return table


def test_the_history_has_rows_filters_figures_and_files(tmp_path: Path):
    with Running(tmp_path) as running, running.guest("Ada") as ada, running.guest("Ben") as ben:
        first = play_out(ada)
        second = play_out(ada, profile="michigan-rum")
        found = ada.http.get("/api/history").json()
        assert ([row["table"] for row in found["rows"]], found["total"]) == ([second, first], 2)
        row = found["rows"][0]
        assert (row["profile"], row["with_people"], row["level"], row["deals"] > 0) == (
            "michigan-rum", False, "greedy", True,
        )  # fmt: skip
        games = sorted((game["profile"], game["matches"]) for game in found["games"])
        assert games == [("500-rum", 1), ("michigan-rum", 1)]
        asked = {
            "profile=500-rum": [first],
            "with=people": [],
            "with=bots": [second, first],
            "skip=1": [first],
            "limit=1": [second],
        }
        for query, tables in asked.items():
            rows = ada.http.get(f"/api/history?{query}").json()["rows"]
            assert [row["table"] for row in rows] == tables, query
        for query in ("limit=0", "limit=101", "skip=-1", "with=cats", "profile="):
            assert ada.http.get(f"/api/history?{query}").status_code == 422, query
        assert ben.http.get("/api/history").json() == {"rows": [], "total": 0, "games": [], "play": None}
        with running.client() as stranger:
            assert stranger.get("/api/history").status_code == 401

        sheet = list(csv.DictReader(io.StringIO(ada.http.get("/api/history.csv").text)))
        assert [line["table"] for line in sheet] == [second, first]
        with zipfile.ZipFile(io.BytesIO(ada.http.get("/api/history.zip").content)) as file:
            assert len(file.namelist()) == 2
            for name in file.namelist():
                assert Record.from_text(file.read(name).decode()).verify() == []

        assert ada.http.post("/api/history/remove", json={"table": first}).status_code == 200
        assert [row["table"] for row in ada.http.get("/api/history").json()["rows"]] == [second]
        assert ada.http.get(f"/api/tables/{first}").status_code == 200


def test_matches_that_an_older_version_ended_are_in_the_history(tmp_path: Path):
    with Running(tmp_path) as running, running.guest("Ada") as ada:
        play_out(ada)
        before, cookie = ada.http.get("/api/history").json(), ada.http.cookies["rum500"]
    engine = create_engine(f"sqlite:///{database_path(tmp_path)}")
    with engine.begin() as connection:
        connection.execute(delete(results))
    engine.dispose()
    with Running(tmp_path) as running, running.client(cookies={"rum500": cookie}) as client:
        assert client.get("/api/history").json() == before


def test_unfinished_tables_are_listed_with_those_first_that_wait(tmp_path: Path):
    with Running(tmp_path) as running, running.guest("Ada") as ada:
        begun = ada.table(target=2000, bots=[None, "greedy"], start=True)
        room = ada.table()
        with ada.join(begun) as talk:
            play(talk, random.Random(2), once=True)
            mine = ada.http.get("/api/tables/mine").json()
            assert [(one["table"]["id"], one["my_turn"]) for one in mine] == [(begun, True), (room, False)]
            assert mine[0]["names"][mine[0]["seat"]] == "Ada"
            assert (mine[0]["deal"], mine[0]["scores"]) == (1, [0, 0])
            assert (mine[1]["deal"], mine[1]["scores"]) == (0, [])
