"""The people of a guest's matches: the list, presence, invitations, and playing again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rum500.server.people import presence as presence_module
from rum500.server.people.invitations import InvitationNotice, Invitations
from rum500.server.people.presence import HERE_S, Presence
from rum500.store import ResultRow, Store
from rum500.store.people_rows import Companion, InvitationRow
from tests.support.live import Room
from tests.support.serving import Guest, Running
from tests.support.storing import row, with_store
from tests.support.waiting import comes_true, until
from tests.test_history import played_out
from tests.test_push import Post, posted


def result_of(guest: str, table: str, points: int) -> ResultRow:
    """Return the result of a guest at a table, which ended at the time of its number."""
    return ResultRow(
        guest_id=guest, table_id=table, ended=int(table[1:]), status="over", profile="500-rum",
        title="500 Rum", players=2, accounts=2, deals=1, place=1, won=True, points=points, margin=5,
        best_deal=9, partners=[], opponents=[], with_people=True, level=None,
    )  # fmt: skip


def test_companions_are_those_with_results_of_the_same_tables(place: Path | str) -> None:
    async def work(store: Store) -> None:
        for table in ("t1", "t2", "t3"):
            await store.create_table(row(table, status="over"))
        await store.results.save([
            result_of("ann", "t1", 10), result_of("ben", "t1", 40),
            result_of("ann", "t2", 20), result_of("ben", "t2", -5), result_of("cat", "t2", 7),
            result_of("cat", "t3", 1), result_of("dan", "t3", 2),
        ])  # fmt: skip
        ben, cat = await store.people.companions("ann")
        assert {ben, cat} == {
            Companion("ben", "t2", 2, 2, 30, 35),
            Companion("cat", "t2", 1, 2, 20, 7),
        }
        assert await store.people.companions("ann", "cat") == [cat if cat.guest_id == "cat" else ben]
        assert [each.guest_id for each in await store.people.companions("dan")] == ["cat"]
        assert len(await store.people.companions("ann", skip=1, limit=5)) == 1
        assert await store.people.known("ann") in (["ben", "cat"], ["cat", "ben"])
        assert await store.people.companions("eve") == await store.people.known("eve") == []

    with_store(place, work)


def test_an_invitation_is_stored_once_and_answered(place: Path | str) -> None:
    async def work(store: Store) -> None:
        people = store.people
        first = InvitationRow(guest_id="ben", table_id="t1", by_guest="ann", at=5)
        await people.invite(first)
        await people.invite(InvitationRow(guest_id="ben", table_id="t1", by_guest="cat", at=6))
        league = InvitationRow(guest_id="ben", league_id="l1", by_guest="cat", at=7)
        await people.invite(league)
        assert await people.invitations("ben") == [league, first]
        assert await people.invitation("ben", table="t1") == first
        assert await people.invitation("ann", table="t1") is None
        assert [await people.invited_since("ann", "ben", since) for since in (4, 5)] == [1, 0]
        await people.answer("ben", table="t1")
        assert await people.invitations("ben") == [league]
        assert await people.invited_since("ann", "ben", 4) == 1
        await people.refuse("ben", "cat", 9)
        assert (await people.invitations("ben"), await people.refused("ben")) == ([], {"cat"})
        await people.allow("ben", "cat")
        assert await people.refused("ben") == set()

    with_store(place, work)


def test_presence_is_shown_only_if_it_is_wanted(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.save_guest("ann", "Ann", 5)
        await store.save_presence("ann", 6, shown=True)
        await store.save_presence("ben", 7, shown=True)
        ann, ben = await store.guest("ann"), await store.guest("ben")
        assert ann is not None and (ann.name, ann.seen, ann.shows_presence) == ("Ann", 5, True)
        assert ben is not None and (ben.name, ben.shows_presence) == ("", True)
        await store.save_presence("ann", 8, shown=False)
        ann = await store.guest("ann")
        assert ann is not None and not ann.shows_presence

    with_store(place, work)


def test_a_guest_is_here_for_a_minute_after_a_request_and_while_connected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence_module, "_SWEEP_AFTER", 2)
    now, connected = 0.0, {"cat"}
    presence = Presence(lambda: now, lambda: connected)
    for guest in ("ann", "ben"):
        presence.note(guest)
    assert presence.here() == {"ann", "ben", "cat"}
    now = HERE_S / 2
    presence.note("ben")
    now, connected = HERE_S + 1, set()
    assert presence.here() == {"ben"}
    for guest in ("dan", "eve"):
        presence.note(guest)
    assert presence._last.keys() == {"ben", "dan", "eve"}, "those who left are forgotten"


def play_matches(folder: Path, matches: Sequence[tuple[str, ...]], **options: Any) -> list[str]:
    """Play short matches of people, whose ids are their names in small letters. Return the tables."""

    async def play() -> list[str]:
        room = Room(folder)
        await room.open()
        tables = []
        for names in matches:
            people = await room.at_play(names, **{"target": 30} | options)
            await played_out(room, people)
            tables.append(people[0].table.id)
            await room.pass_time(1)
        await room.close()
        return tables

    return asyncio.run(play())


@dataclass
class Club:
    """A server, and guests who have played together."""

    running: Running
    ends: ExitStack

    def guest(self, name: str) -> Guest:
        """Return the browser of a guest, who keeps the name from the tables."""
        return self.ends.enter_context(self.running.guest(name, name.lower()))


def ids(guest: Guest, *names: str) -> list[str]:
    """Return the ids that these people have in a guest's list."""
    people = {each["name"]: each["id"] for each in guest.http.get("/api/people").json()["people"]}
    return [people[name] for name in names]


@pytest.fixture(name="club")
def a_club(tmp_path: Path) -> Iterator[Club]:
    """A server on which Ann has played with Ben, and with Ben and Cat."""
    play_matches(tmp_path, [("Ann", "Ben"), ("Ann", "Ben", "Cat")])
    with Running(tmp_path) as running, ExitStack() as ends:
        yield Club(running, ends)


def test_the_list_has_the_people_of_the_guests_matches(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    found = ann.http.get("/api/people").json()
    assert (found["total"], found["shows_presence"]) == (2, False)
    people = {person["name"]: person for person in found["people"]}
    assert {name: person["matches"] for name, person in people.items()} == {"Ben": 2, "Cat": 1}
    seen = next(person for person in ben.http.get("/api/people").json()["people"] if person["name"] == "Ann")
    assert (seen["points"], seen["their_points"]) == (
        people["Ben"]["their_points"], people["Ben"]["points"],
    )  # fmt: skip
    assert len(ann.http.get("/api/people?limit=1&skip=1").json()["people"]) == 1
    assert ann.http.get("/api/people?limit=51").status_code == 422


def test_a_list_has_no_id_by_which_others_could_find_a_guest(club: Club) -> None:
    ann, ben, cat = (club.guest(name) for name in ("Ann", "Ben", "Cat"))
    (by_ben,), (by_cat,) = ids(ben, "Ann"), ids(cat, "Ann")
    assert by_ben != by_cat
    text = ann.http.get("/api/people").text
    assert '"ben"' not in text and '"cat"' not in text, "the ids of guests"
    table = cat.http.post("/api/tables", json={"profile": "500-rum", "players": 2}).json()["id"]
    stolen = cat.http.post("/api/people/invite", json={"table": table, "people": [by_ben]})
    assert (stolen.status_code, stolen.json()["code"]) == (404, "person.unknown")


def test_a_stranger_gets_no_list_and_no_presence(club: Club) -> None:
    ann, dan = club.guest("Ann"), club.guest("Dan")
    assert ann.http.put("/api/people/presence", json={"shown": True}).status_code == 200
    assert dan.http.get("/api/people").json() == {"people": [], "total": 0, "shows_presence": False}
    with club.running.client() as nobody:
        for path in ("/api/people", "/api/invitations", "/api/leagues"):
            assert nobody.get(path).status_code == 401, path


def test_presence_is_off_until_a_guest_shows_it(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")

    def here() -> bool:
        people = ann.http.get("/api/people").json()["people"]
        return bool(next(person["here"] for person in people if person["name"] == "Ben"))

    assert ben.http.get("/api/people").status_code == 200
    assert not here()
    ben.http.put("/api/people/presence", json={"shown": True})
    assert here()
    ben.http.put("/api/people/presence", json={"shown": False})
    assert not here()


def test_a_later_name_is_not_shown(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    ben.http.put("/api/me", json={"name": "Benjamin Secret"})
    assert "Secret" not in ann.http.get("/api/people").text


def invitations(guest: Guest) -> list[tuple[str, str | None]]:
    return [
        (each["by"], each["table"] and each["table"]["id"])
        for each in guest.http.get("/api/invitations").json()
    ]


def test_play_again_makes_the_same_table_and_invites(club: Club) -> None:
    ann, ben, cat = (club.guest(name) for name in ("Ann", "Ben", "Cat"))
    made = ann.http.post("/api/people/play-again", json={"people": ids(ann, "Cat", "Ben")})
    assert (made.status_code, made.json()["not_invited"]) == (201, [])
    table = made.json()["id"]
    summary = ann.http.get(f"/api/tables/{table}").json()
    assert (summary["players"], summary["private"], summary["status"], summary["target"]) == (
        3, True, "open", 30,
    )  # fmt: skip
    for client in (ben, cat):
        assert invitations(client) == [("Ann", table)]
    with ben.join(table) as socket:
        socket.ask("sit")
        until(lambda: invitations(ben) == [])
    with ann.join(table) as socket:
        socket.ask("start")
        until(lambda: invitations(cat) == [])


def test_an_invitation_needs_a_table_with_a_free_seat_that_is_the_guests(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    people = ids(ann, "Ben")

    def code(table: str) -> tuple[int, str]:
        refused = ann.http.post("/api/people/invite", json={"table": table, "people": people})
        return refused.status_code, refused.json()["code"]

    bens = ben.http.post("/api/tables", json={"profile": "500-rum", "players": 2}).json()["id"]
    assert code(bens) == code("nothing") == (404, "table.unknown")
    full = {"profile": "500-rum", "players": 2, "bots": [None, "greedy"]}
    assert code(ann.http.post("/api/tables", json=full).json()["id"]) == (409, "table.full")
    begun = ann.http.post("/api/tables", json=full | {"start": True}).json()["id"]
    assert code(begun) == (409, "table.begun")
    own = ann.http.post("/api/tables", json={"profile": "500-rum", "players": 2}).json()["id"]
    for wrong in (["nobody"], [ann.me["id"]], [*people, "bot"]):
        refused = ann.http.post("/api/people/invite", json={"table": own, "people": wrong})
        assert (refused.status_code, refused.json()["code"]) == (404, "person.unknown"), wrong
    assert invitations(ben) == []


def test_one_person_invites_another_three_times_a_day(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    people = ids(ann, "Ben")
    tables = [ann.http.post("/api/people/play-again", json={"people": people}).json() for _ in range(4)]
    assert [each["not_invited"] for each in tables] == [
        [], [], [], [{"name": "Ben", "code": "invitation.often"}],
    ]  # fmt: skip
    assert len(invitations(ben)) == 3
    again = ann.http.post("/api/people/invite", json={"table": tables[0]["id"], "people": people})
    assert again.json()["not_invited"] == [], "the same invitation is no new one"
    cat = club.guest("Cat")
    assert (
        cat.http.post("/api/people/play-again", json={"people": ids(cat, "Ben")}).json()["not_invited"] == []
    )


def test_a_guest_refuses_a_persons_invitations_for_good(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    people = ids(ann, "Ben")
    first = ann.http.post("/api/people/play-again", json={"people": people}).json()["id"]
    second = ann.http.post("/api/people/play-again", json={"people": people}).json()["id"]
    assert ben.http.post("/api/invitations/answer", json={"table": first}).status_code == 200
    assert invitations(ben) == [("Ann", second)]
    ben.http.post("/api/invitations/answer", json={"table": second, "refuse_more": True})
    assert invitations(ben) == []
    refused = ann.http.post("/api/people/play-again", json={"people": people}).json()
    assert refused["not_invited"] == [{"name": "Ben", "code": "invitation.refused"}]
    (listed,) = (each for each in ben.http.get("/api/people").json()["people"] if each["name"] == "Ann")
    assert listed["refused"]
    ben.http.put("/api/people/refused", json={"person": listed["id"], "refused": False})
    assert ann.http.post(
        "/api/people/invite", json={"table": refused["id"], "people": people}
    ).json()["not_invited"] == []  # fmt: skip
    assert invitations(ben) == [("Ann", refused["id"])]
    for body, status in (({}, 422), ({"table": "a", "league": "b"}, 422), ({"table": "nothing"}, 404)):
        assert ben.http.post("/api/invitations/answer", json=body).status_code == status, body


@posted
async def test_an_invitation_is_sent_to_the_browsers_that_are_not_in_quiet_hours(room: Post) -> None:
    invitations = Invitations(room.store, room.clock, room.sender.send)
    awake, quiet = await room.browser("ben"), await room.browser("ben", **room.quiet_hour())
    gone = await room.browser("ben")
    gone.status = 410
    notice = InvitationNotice("t1", "", "500-rum", "500 Rum", "Ann", "")
    for _ in range(2):
        row = InvitationRow(guest_id="ben", table_id="t1", by_guest="ann", at=0)
        assert await invitations.invite(row, notice) is None
        await comes_true(lambda: invitations.idle)
    (message,) = awake.got
    assert message.content == {
        "kind": "invitation", "table": "t1", "league": "", "game": "500-rum", "title": "500 Rum", "by": "Ann",
        "language": "en",
    }  # fmt: skip
    assert quiet.got == []
    assert len(await room.store.notices.browsers("ben")) == 2, "the browser that is gone is forgotten"
    await invitations.close()
