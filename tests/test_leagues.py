"""Leagues of tables: who is in one, which matches count, the standing, and who owes whom."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from rum500.server.guests import now_ms
from rum500.server.people.leagues import MOST_MEMBERS, settled
from rum500.store import Store
from rum500.store.people_rows import InvitationRow, LeagueMember, LeagueResult, LeagueRow
from tests.support.live import Room, at_tables
from tests.support.serving import Guest
from tests.support.storing import row, with_store
from tests.test_history import played_out
from tests.test_people import Club, a_club, ids, result_of

__all__ = ["a_club"]


def league_row(**fields: Any) -> LeagueRow:
    return LeagueRow(**{"id": "l1", "name": "Kitchen", "host_id": "ann", "created": 1, "used": 1} | fields)


def member_of(guest: str, league: str = "l1") -> LeagueMember:
    return LeagueMember(league_id=league, guest_id=guest, member=f"m-{guest}", joined=1)


def result(table: str, player: int, member: str, **fields: Any) -> LeagueResult:
    common: dict[str, Any] = {
        "ended": 5, "profile": "500-rum", "title": "500 Rum", "deals": 2, "points": 9, "won": False,
        "owes": {},
    }  # fmt: skip
    return LeagueResult(league_id="l1", table_id=table, player=player, member=member, **common | fields)


def test_a_league_takes_members_until_it_is_full(place: Path | str) -> None:
    async def work(store: Store) -> None:
        leagues = store.leagues
        await leagues.create(league_row(), member_of("ann"))
        await asyncio.gather(*(leagues.join(member_of(guest), 3) for guest in ("ben", "cat", "dan", "eve")))
        members = await leagues.members("l1")
        assert len(members) == 3
        await leagues.join(LeagueMember(league_id="l1", guest_id="ann", member="other", joined=9), 9)
        assert await leagues.members("l1") == members, "a member joins once"
        await leagues.leave("l1", "ann")
        assert len(await leagues.members("l1")) == 2
        assert await leagues.of_guest(members[1].guest_id) == [league_row()]
        assert await leagues.of_guest("ann") == []
        await leagues.change("l1", name="Hall", ended=7)
        assert await leagues.league("l1") == league_row(name="Hall", ended=7)
        assert await leagues.league("l2") is None

    with_store(place, work)


def test_tables_of_members_alone_are_new_until_they_have_results(place: Path | str) -> None:
    async def work(store: Store) -> None:
        leagues = store.leagues
        for table in ("t1", "t2", "t3", "t4"):
            await store.create_table(row(table, status="over"))
        await store.results.save([
            result_of("ann", "t1", 1), result_of("ben", "t1", 2),
            result_of("ann", "t2", 1), result_of("cat", "t2", 2),
            result_of("ben", "t3", 1),  # Ann has removed the match from her history
            result_of("cat", "t4", 1), result_of("dan", "t4", 1),
        ])  # fmt: skip
        await leagues.create(league_row(), member_of("ann"))
        await leagues.join(member_of("ben"), 9)
        assert await leagues.new_tables("l1", None, 9) == ["t1", "t3"]
        assert await leagues.new_tables("l1", None, 1) == ["t1"]
        assert await leagues.new_tables("l1", 2, 9) == ["t1"], "only those that ended in time"
        counted = [result("t1", 0, "m-ann", won=True), result("t1", 1, "m-ben", owes={0: 12})]
        await leagues.add([*counted, result("t3", -1, "")])
        assert await leagues.new_tables("l1", None, 9) == []
        assert await leagues.results("l1") == counted
        await leagues.join(member_of("cat"), 9)
        assert await leagues.new_tables("l1", None, 9) == ["t2", "t3"], (
            "what did not count is looked at again"
        )

    with_store(place, work)


def test_pruning_removes_leagues_that_nobody_looks_at(place: Path | str) -> None:
    async def work(store: Store) -> None:
        leagues = store.leagues
        for name, used in (("l1", 5), ("l2", 200)):
            await leagues.create(
                league_row(id=name, used=used), member_of("ann" if used == 5 else "ben", name)
            )
        await leagues.add([result("t1", 0, "m-ann")])
        for guest in ("ann", "ben"):
            await store.save_guest(guest, guest, 5)
            await store.people.refuse(guest, "cat", 5)
            await store.people.invite(InvitationRow(guest_id=guest, league_id="l1", by_guest="cat", at=5))
        await store.prune(100, keep=lambda _: False)
        assert [await leagues.league(name) for name in ("l1", "l2")] == [None, league_row(id="l2", used=200)]
        assert await leagues.members("l1") == await leagues.results("l1") == []
        assert (await store.guest("ann"), (await store.guest("ben")) is not None) == (None, True)
        assert [await store.people.refused(guest) for guest in ("ann", "ben")] == [set(), {"cat"}]
        assert await store.people.invitations("ben") == []

    with_store(place, work)


def test_debts_are_settled_with_few_payments() -> None:
    order = {"a": 0, "b": 1, "c": 2}
    first = [result("t1", 0, "a"), result("t1", 1, "b", owes={0: 30}), result("t1", 2, "c", owes={0: 10})]
    bot = 3
    second = [result("t2", 0, "c"), result("t2", 1, "a", owes={0: 25}), result("t2", 2, "b", owes={bot: 99})]
    found = [(each.payer, each.payee, each.points) for each in settled([first, second], order)]
    # a: 30 + 10 - 25, b: -30, c: 25 - 10
    assert found == [(1, 0, 15), (1, 2, 15)]
    assert settled([], order) == []


def new_league(guest: Guest, name: str = "Kitchen round", **fields: Any) -> str:
    made = guest.http.post("/api/leagues", json={"name": name} | fields)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def look(guest: Guest, league: str) -> dict[str, Any]:
    found: dict[str, Any] = guest.http.get(f"/api/leagues/{league}").json()
    return found


def do(guest: Guest, league: str, what: str, **body: Any) -> tuple[int, str | None]:
    """Return the status and the code of the refusal, if it is one."""
    answer = guest.http.post(f"/api/leagues/{league}/{what}", json=body)
    return answer.status_code, answer.json().get("code")


def test_old_matches_count_when_all_of_their_people_are_members(club: Club) -> None:
    ann, ben, cat = (club.guest(name) for name in ("Ann", "Ben", "Cat"))
    league = new_league(ann)
    assert look(ann, league)["matches"] == []
    assert do(ben, league, "join") == (200, None)
    found = look(ann, league)
    assert len(found["matches"]) == 1
    (match,) = found["matches"]
    (winner,) = match["winners"]
    assert found["standing"][winner]["won"] == 1 and winner == 0
    points = dict(zip(match["players"], match["points"], strict=True))
    assert {line: rank["points"] for line, rank in enumerate(found["standing"])} == points
    assert [(each["payer"], each["payee"]) for each in found["payments"]] == [(1, 0)]
    assert found["payments"][0]["points"] == points[0] - points[1]
    do(cat, league, "join")
    found = look(cat, league)
    assert [len(match["players"]) for match in found["matches"]] == [3, 2]
    assert {rank["name"]: rank["matches"] for rank in found["standing"]} == {"Ann": 2, "Ben": 2, "Cat": 1}
    assert sum(rank["won"] for rank in found["standing"]) == 2
    assert [match["table"] is not None for match in found["matches"]] == [True, False], "Cat was at one table"


def test_a_match_that_a_loser_removes_from_the_history_still_counts(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    for match in ben.http.get("/api/history").json()["rows"]:
        ben.http.post("/api/history/remove", json={"table": match["table"]})
    league = new_league(ann)
    do(ben, league, "join")
    assert [len(each["players"]) for each in look(ben, league)["matches"]] == [2]


def test_a_stranger_needs_the_link_and_opens_no_replay(club: Club) -> None:
    ann, ben, dan = (club.guest(name) for name in ("Ann", "Ben", "Dan"))
    league = new_league(ann)
    do(ben, league, "join")
    assert dan.http.get("/api/leagues").json() == []
    assert dan.http.get("/api/leagues/kitchen").json()["code"] == "league.unknown"
    found = look(dan, league)
    assert (found["member"], found["host"], [each["table"] for each in found["matches"]]) == (
        False,
        False,
        [None],
    )
    assert do(dan, league, "leave") == (409, "league.member")
    assert do(dan, league, "invite", people=ids(ben, "Ann")) == (404, "person.unknown")
    assert do(dan, league, "end") == do(ben, league, "end") == (409, "league.host")
    renamed = ben.http.put(f"/api/leagues/{league}", json={"name": "Mine"})
    assert (renamed.status_code, renamed.json()["code"]) == (409, "league.host")
    text = ann.http.get(f"/api/leagues/{league}").text
    assert '"ann"' not in text and '"ben"' not in text, "the ids of guests"


def test_a_league_is_renamed_and_ended_by_its_host(club: Club) -> None:
    ann, ben, cat = (club.guest(name) for name in ("Ann", "Ben", "Cat"))
    league = new_league(ann)
    do(ben, league, "join")
    assert (
        ann.http.put(f"/api/leagues/{league}", json={"name": " Hall  round "}).json()["name"] == "Hall round"
    )
    assert ann.http.put(f"/api/leagues/{league}", json={"name": "\u202e"}).status_code == 422
    assert do(ann, league, "end") == (200, None)
    assert do(cat, league, "join") == (409, "league.ended")
    assert do(ann, league, "invite", people=ids(ann, "Cat")) == (409, "league.ended")
    found = look(ben, league)
    assert found["ended"] is not None and len(found["matches"]) == 1
    assert ben.http.get("/api/leagues").json() == [
        {"id": league, "name": "Hall round", "members": 2, "ended": True}
    ]


def test_who_leaves_is_a_player_in_the_old_results(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    league = new_league(ann)
    do(ben, league, "join")
    assert do(ann, league, "leave") == (200, None)
    found = look(ben, league)
    assert len(found["matches"]) == 1
    gone = next(rank for rank in found["standing"] if not rank["member"])
    assert (gone["name"], gone["matches"], found["host"]) == (None, 1, True), "the oldest member is the host"
    assert do(ann, league, "leave") == (409, "league.member")
    assert do(ben, league, "leave") == (200, None)
    assert do(ann, league, "join") == (409, "league.ended"), "nobody was left"


def test_deleted_guest_is_a_player_in_the_old_results(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    league = new_league(ann)
    do(ben, league, "join")
    before = look(ann, league)
    store = club.running.application._store
    assert store is not None
    club.running.on_loop(store.guest_data.delete("ben", now_ms()))
    found = look(ann, league)
    assert [rank["name"] for rank in found["standing"] if not rank["you"]] == [None]
    unnamed = [rank | {"name": None, "member": True} for rank in found["standing"]]
    assert unnamed == [rank | {"name": None} for rank in before["standing"]]
    assert (found["matches"], found["payments"]) == (before["matches"], before["payments"])
    assert "Ben" not in ann.http.get("/api/people").text


def test_matches_of_a_merged_guest_count_for_the_guest_who_remains(club: Club) -> None:
    ann, dan = club.guest("Ann"), club.guest("Dan")
    store = club.running.application._store
    assert store is not None
    club.running.on_loop(store.guest_data.merge("ben", "dan", now_ms()))
    league = new_league(ann)
    do(dan, league, "join")
    assert [len(match["players"]) for match in look(dan, league)["matches"]] == [2]
    assert look(dan, league)["matches"][0]["table"] is not None
    assert ids(ann, "Ben") != [], "the name that the table showed"


def test_a_league_has_twelve_members(club: Club) -> None:
    ann = club.guest("Ann")
    league = new_league(ann)
    for number in range(MOST_MEMBERS - 1):
        assert do(club.guest(f"Guest {number}"), league, "join") == (200, None)
    late = club.guest("Late")
    assert look(late, league)["full"]
    assert do(late, league, "join") == (409, "league.full")
    assert do(club.guest("Guest 1"), league, "join") == (200, None), "a member may join again"


def test_a_league_of_a_table_invites_the_people_of_that_table(club: Club) -> None:
    ann, ben, cat, dan = (club.guest(name) for name in ("Ann", "Ben", "Cat", "Dan"))
    table = ann.http.get("/api/history").json()["rows"][0]["table"]
    league = new_league(ann, table=table)
    for guest in (ben, cat):
        (found,) = guest.http.get("/api/invitations").json()
        assert (found["by"], found["league"], found["league_name"]) == ("Ann", league, "Kitchen round")
    assert new_league(ann, table=table) == league, "these people are invited to one already"
    do(ben, league, "join")
    assert new_league(ben, table=table) == league
    assert ben.http.get("/api/invitations").json() == []
    cat.http.post("/api/invitations/answer", json={"league": league, "refuse_more": True})
    refused = ann.http.post("/api/leagues", json={"name": "Again", "people": ids(ann, "Ben", "Cat")}).json()
    assert refused["not_invited"] == [{"name": "Cat", "code": "invitation.refused"}]
    stranger = dan.http.post("/api/leagues", json={"name": "Mine", "table": table})
    assert (stranger.status_code, stranger.json()["code"]) == (404, "table.unknown")


@at_tables
async def test_sides_pay_once_and_games_without_a_settlement_not_at_all(room: Room) -> None:
    for profile, pays in (("partnership-500-rum", True), ("500-rummy", False)):
        names = tuple(f"{name} {profile[:4]}" for name in ("Ann", "Ben", "Cat", "Dan"))
        people = await room.at_play(names, profile=profile, target=60)
        await played_out(room, people)
        table = people[0].table.id
        outcome = await room.tables.outcome(table)
        assert outcome is not None
        assert outcome.guests == tuple(seat.guest for seat in people[0].table.log.state.seats)
        losers = [player for player in range(4) if player not in outcome.winners]
        margin = outcome.points[outcome.winners[0]] - outcome.points[losers[0]]
        assert sum(points for _, _, points in outcome.owes) == (margin if pays else 0)
        assert {payer for payer, _, _ in outcome.owes} == (set(losers) if pays else set())
        assert {payee for _, payee, _ in outcome.owes} == (set(outcome.winners) if pays else set())
