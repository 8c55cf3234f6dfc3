"""A week of four people at a real server, whose clock the test moves.

Nora has a phone and, from Tuesday, a laptop. Finn loses his cookie. Mira deletes everything. Sly tries to
play a deal of the day twice, and to see its cards beforehand.
"""

from __future__ import annotations

import io
import json
import random
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from rum500.cli import main
from rum500.record.fair import commitment
from rum500.rules.profiles import profile_rules
from rum500.server.live.turn.seat_requests import AWAY_S
from tests.support.live_server import Guest, Seated, play_on
from tests.support.moved_time import MovedTime
from tests.support.serving import Running
from tests.support.waiting import PATIENCE, until

MONDAY = date(2026, 11, 30)
HOUR = 3600.0
SETTINGS = {"bot_workers": 0, "review_workers": 0, "push": False}
PHONE, LAPTOP = {"browser": "safari", "phone": True}, {"browser": "firefox", "phone": False}


@dataclass
class Week:
    """The server with its clock, and what the week has brought so far."""

    folder: Path
    running: Running = field(init=False)
    time: MovedTime = field(init=False)
    settings: dict[str, Any] = field(default_factory=lambda: SETTINGS)
    passed_s: float = 8 * HOUR
    commitments: dict[date, str] = field(default_factory=dict)
    tables: dict[date, str] = field(default_factory=dict)
    """A finished attempt of each day."""
    points: dict[date, list[int]] = field(default_factory=dict)
    """The results of each day."""

    def open(self) -> None:
        """Start the server, on the same data as before."""

        def clock() -> MovedTime:
            start = datetime(MONDAY.year, MONDAY.month, MONDAY.day, tzinfo=UTC)
            self.time = MovedTime(start, self.passed_s)
            return self.time

        self.running = Running(self.folder, time=clock, **self.settings).__enter__()

    def restart(self) -> None:
        """Stop the server and start it again; a browser keeps its cookie and learns the new port."""
        self.running.stop()
        self.open()

    def guest(self, name: str | None = None) -> Guest:
        """A browser without a cookie, and the guest whom the server makes for it."""
        return Guest(self.running, name)  # type: ignore[arg-type]

    def pass_time(self, seconds: float) -> None:
        """Let time pass on the server."""
        self.passed_s += seconds
        self._on_loop(lambda: self.time.move(seconds))

    def set_wrong(self, seconds: float) -> None:
        """Set the server's calendar clock wrong by this much, or right again."""
        self._on_loop(lambda: self.time.set_wall(seconds))

    def _on_loop(self, call: Callable[[], None]) -> None:
        async def work() -> None:
            call()

        self.running.on_loop(work())

    @property
    def today(self) -> date:
        """The day by the server's clock, as long as it is right."""
        return MONDAY + timedelta(days=int(self.passed_s // (24 * HOUR)))

    def begin(self, day: int) -> dict[str, Any]:
        """Let time pass until 8 in the morning of this day, from 0; check what last evening had promised."""
        if (wait := 24 * HOUR * day + 8 * HOUR - self.passed_s) > 0:
            self.pass_time(wait)
        shown = self.guest().call("GET", "/api/day-deals/today")
        today = MONDAY + timedelta(days=day)
        assert shown["day"] == today.isoformat()
        assert self.commitments.setdefault(today, shown["commitment"]) == shown["commitment"]
        self.commitments[today + timedelta(days=1)] = shown["next_commitment"]
        return dict(shown)

    def close(self) -> None:
        """Stop the server."""
        self.running.stop()


def refusal(guest: Guest, method: str, path: str, body: object = None) -> str:
    """The code with which a request is refused."""
    with pytest.raises(HTTPError) as caught:
        guest.call(method, path, body)
    return str(json.load(caught.value)["code"])


def at_door(guest: Guest, table: str) -> str:
    """The code with which a table refuses a visitor."""
    with guest.at(table) as seat:
        (answer,) = (heard for heard in seat.heard if heard["type"] == "refused")
        return str(answer["reason"]["code"])


def download(guest: Guest, path: str) -> bytes:
    """The file with which a request is answered."""
    headers = {"Origin": guest.server.url, "Content-Type": "application/json", "Cookie": guest.cookie}
    request = urllib.request.Request(guest.server.url + path, b"{}", headers, method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
        return bytes(reply.read())


def tab_of(guest: Guest) -> Guest:
    """Another tab of the same browser."""
    tab = Guest.__new__(Guest)
    tab.server, tab.cookie, tab.me = guest.server, guest.cookie, guest.me
    return tab


def day_path(day: date) -> str:
    return f"/api/day-deals/{day.isoformat()}"


def attempt(guest: Guest, day: date) -> str:
    """Begin or resume today's deal and return its table."""
    return str(guest.call("POST", f"{day_path(day)}/play", {})["id"])


def is_over(facts: Any) -> bool:
    return facts.get("status") in ("over", "abandoned")


def play(week: Week, guest: Guest, *, dice: int) -> None:
    """Play today's deal to its end."""
    day = week.today
    table = attempt(guest, day)
    with guest.at(table) as seat:
        play_on([seat], is_over, seed=dice)
    result = guest.call("GET", day_path(day))
    assert result["status"] == "over"
    week.tables[day] = table
    week.points.setdefault(day, []).append(result["points"])


def one_play(seat: Seated, dice: int) -> None:
    """Make one decision."""
    seat.sees(lambda facts: bool(facts.get("may")))
    assert seat.act(random.Random(dice))


def pair(old: Guest, new: Guest, own: str = "leave") -> str:
    """Bring a second device in by a code, with the two words compared; return the code."""
    code = str(old.call("POST", "/api/me/device", {})["code"])
    new.call("POST", "/api/device", {"code": code} | LAPTOP)
    words = old.call("GET", "/api/me/device")["words"]
    assert words == new.call("GET", "/api/device")["words"]
    old.call("POST", "/api/me/device/answer", {"words": words, "yes": True})
    assert new.call("POST", "/api/device/take", {"own": own})["id"] == old.me["id"]
    return code


def match(people: list[Guest], *, target: int = 40) -> str:
    """Play a short match among people to its end; return the table."""
    table = people[0].new_table("500-rum", players=len(people), target=target, seats_drawn=False)
    seats = [guest.at(table) for guest in people]
    for number, seat in enumerate(seats[1:], 1):
        seat.say("sit", seat=number)
    seats[0].say("start")
    play_on(seats, is_over, seed=len(people))
    for seat in seats:
        seat.leave()
    until(lambda: any(row["table"] == table for row in people[0].call("GET", "/api/history")["rows"]))
    return table


# --- Sly -------------------------------------------------------------------------------------------------


def look_at_the_cards(week: Week, sly: Guest, noras: str, *, reviews: bool = False) -> None:
    """Before playing, Sly looks everywhere for the cards; `noras` is a finished attempt."""
    day = week.today
    table, today, tomorrow = f"/api/tables/{noras}", day_path(day), day_path(day + timedelta(days=1))
    later = day_path(day + timedelta(days=2))
    attacks: dict[str, tuple[str, str, object, str]] = {
        "the result before playing": ("GET", today, None, "day.playing"),
        "the standing before playing": ("GET", f"{today}/standing", None, "day.playing"),
        "practice of today's deal": ("POST", f"{today}/play", {"practice": True}, "day.today"),
        "tomorrow's deal": ("POST", f"{tomorrow}/play", {}, "day.unknown"),
        "practice of tomorrow's deal": ("POST", f"{tomorrow}/play", {"practice": True}, "day.unknown"),
        "the proof of the day after tomorrow": ("GET", f"{later}/proof", None, "day.unknown"),
        "a replay of an attempt": ("GET", f"{table}/deals/1", None, "day.secret"),
        "the record of its deal": ("GET", f"{table}/deals/1.rum500", None, "day.secret"),
        "the record of its match": ("GET", f"{table}/record.rum500", None, "day.secret"),
        "another try of its deal": ("POST", f"{table}/deals/1/try", {"frame": 0}, "day.secret"),
        "a league with its player": ("POST", "/api/leagues", {"name": "Us", "table": noras}, "table.unknown"),
    }
    if reviews:
        attacks |= {
            "the review of its match": ("GET", f"{table}/review", None, "day.secret"),
            "the review of its deal": ("GET", f"{table}/deals/1/review", None, "day.secret"),
            "the other hands at a turn": ("GET", f"{table}/deals/1/belief/1", None, "day.secret"),
            "a turn with open hands": ("GET", f"{table}/deals/1/open/1", None, "day.secret"),
        }
    for name, (method, path, body, code) in attacks.items():
        assert refusal(sly, method, path, body) == code, name
    assert at_door(sly, noras) == "day.private", "a seat to watch from"
    for path in (today, tomorrow):
        assert sly.call("GET", f"{path}/proof")["seed"] == "", "the seed of today and of tomorrow"
    assert sly.call("GET", "/api/day-deals/today")["status"] == "new", "none of this was an attempt"


def test_reviews_of_others_do_not_show_the_cards_of_today(tmp_path: Path) -> None:
    with closing(Week(tmp_path, settings={**SETTINGS, "review_workers": 1, "bot_workers": 2})) as week:
        week.open()
        nora, sly = week.guest("Nora"), week.guest("Sly")
        table = attempt(nora, week.today)
        with nora.at(table) as seat:
            play_on([seat], is_over)
        look_at_the_cards(week, sly, table, reviews=True)


def play_with_help(week: Week, sly: Guest) -> None:
    """In the middle of his attempt, Sly asks for the end of it, or for a stronger player."""
    own = f"/api/tables/{attempt(sly, week.today)}"
    attacks: dict[str, tuple[str, str, object, str]] = {
        "the replay before the end": ("GET", f"{own}/deals/1", None, "deal.unknown"),
        "the record before the end": ("GET", f"{own}/deals/1.rum500", None, "deal.unknown"),
        "another try before the end": ("POST", f"{own}/deals/1/try", {"frame": 0}, "deal.unknown"),
        "an external bot in his seat": ("POST", f"{own}/bots", {"seat": 0, "name": "Spy"}, "day.alone"),
        "the others' results": ("GET", day_path(week.today), None, "day.playing"),
    }
    for name, (method, path, body, code) in attacks.items():
        assert refusal(sly, method, path, body) == code, name
    with zipfile.ZipFile(io.BytesIO(download(sly, "/api/me/data.zip"))) as data:
        (row,) = json.loads(data.read("deals-of-the-day.json"))
    assert set(row) == {"day", "status", "points", "table"}, "the cards in his own data"


def play_twice(week: Week, sly: Guest, played: str) -> None:
    """Sly, who has had his attempt at the table `played`, tries to have another one."""
    again = f"{day_path(week.today)}/play"
    assert refusal(sly, "POST", again, {}) == "day.played", "after the end"
    assert refusal(tab_of(sly), "POST", again, {}) == "day.played", "in another tab"
    laptop = week.guest()
    pair(sly, laptop)
    assert refusal(laptop, "POST", again, {}) == "day.played", "on another device"
    with laptop.at(played) as seat:
        assert seat.say("undo")["type"] == "refused", "by taking the last play back"
        assert seat.say("rematch")["type"] == "refused", "by another match at the table"


def keep_the_better(week: Week, sly: Guest) -> None:
    """Sly plays as two guests, which nothing prevents, and makes them one guest."""
    second = week.guest()
    for dice, guest in enumerate((sly, second), 20):
        play(week, guest, dice=dice)
    first, other = week.points[week.today][-2:]
    pair(sly, second, "merge")
    result = second.call("GET", day_path(week.today))
    assert result["points"] == first, f"the earlier result stays, not {other}"


# --- the days ----------------------------------------------------------------------------------------------


@pytest.fixture(name="week")
def a_week(tmp_path: Path) -> Iterator[Week]:
    with closing(Week(tmp_path)) as week:
        week.open()
        yield week


@dataclass
class People:
    """The browsers of the four."""

    nora: Guest
    finn: Guest
    mira: Guest
    sly: Guest
    finns_words: list[str]
    league: str = ""


def monday(week: Week) -> People:
    """All four play the deal of the day; three play a match, and Nora keeps a standing of their round."""
    shown = week.begin(0)
    people = People(*(week.guest(name) for name in ("Nora", "Finn", "Mira", "Sly")), finns_words=[])
    everybody = (people.nora, people.finn, people.mira, people.sly)
    assert shown["status"] == "new"
    for dice, guest in enumerate(everybody[:3]):
        play(week, guest, dice=dice)
    look_at_the_cards(week, people.sly, week.tables[MONDAY])
    play_with_help(week, people.sly)
    play(week, people.sly, dice=3)
    play_twice(week, people.sly, week.tables[MONDAY])
    points = week.points[MONDAY]
    for guest, own in zip(everybody, points, strict=True):
        result = guest.call("GET", day_path(MONDAY))
        assert (result["points"], result["played"]) == (own, 4)
        assert result["place"] == 1 + sum(other > own for other in points)
        assert sum(players for _, players in result["counts"]) == 4
        assert [row["name"] for row in result["near"] if row["name"]] == [guest.me["name"]], "strangers"
    people.finns_words = people.finn.call("POST", "/api/me/words", {})["words"]
    table = match([people.nora, people.finn, people.mira])
    made = people.nora.call("POST", "/api/leagues", {"name": "Kitchen round", "table": table})
    people.league = f"/api/leagues/{made['id']}"
    for guest in (people.finn, people.mira):
        (invited,) = guest.call("GET", "/api/invitations")
        assert (invited["by"], invited["league_name"]) == ("Nora", "Kitchen round")
        guest.call("POST", f"{people.league}/join", {})
    assert [rank["matches"] for rank in people.sly.call("GET", people.league)["standing"]] == [1, 1, 1]
    return people


def tuesday(week: Week, people: People) -> None:
    """Nora begins the deal on her phone and ends it on her new laptop. Sly finds the code."""
    week.begin(1)
    nora, laptop = people.nora, week.guest()
    with nora.at(attempt(nora, week.today)) as phone:
        one_play(phone, dice=1)
        hand = phone.facts["hand"]
    code = pair(nora, laptop)
    for typed in (code, code.upper(), code.replace(" ", "")):
        assert refusal(people.sly, "POST", "/api/device", {"code": typed} | PHONE) == "device.code", "used"
    progress = laptop.call("GET", "/api/day-deals/today")["progress"]
    assert progress["cards"] == len(hand)
    with laptop.at(attempt(laptop, week.today)) as seat:
        assert seat.facts["hand"] == hand
    play(week, laptop, dice=2)
    assert nora.call("GET", "/api/day-deals/today")["status"] == "over", "the phone knows it too"
    assert refusal(nora, "POST", f"{day_path(week.today)}/play", {}) == "day.played"
    keep_the_better(week, people.sly)


def wednesday(week: Week, people: People) -> None:
    """Finn loses his cookie in the middle of a match; Nora says yes, and he plays on."""
    week.begin(2)
    nora, old = people.nora, people.finn
    play(week, nora, dice=3)
    table = nora.new_table("500-rum", players=2, target=40, seats_drawn=False)
    with nora.at(table) as friend:
        with old.at(table) as seat:
            seat.say("sit", seat=1)
            friend.say("start")
            play_on([seat, friend], lambda facts: bool(facts.get("hand")))
            seat.sees(lambda facts: bool(facts.get("hand")))
            hand = sorted(seat.facts["hand"])
        new = week.guest("Finn again")
        with new.at(table) as asker:
            assert asker.say("ask_for_seat", seat=1)["reason"]["code"] == "seat.here", "gone a moment only"
            week.pass_time(AWAY_S + 1)
            assert asker.say("ask_for_seat", seat=1)["type"] != "refused"
            asker.sees(lambda facts: facts.get("seat_request") is not None)
            friend.sees(lambda facts: facts.get("seat_request") is not None)
            asked, shown = asker.facts["seat_request"], friend.facts["seat_request"]
            assert asked["words"] == shown["words"]
            assert not asker.facts.get("hand"), "before the yes the hand is secret"
            friend.say("answer_seat", request=shown["number"], yes=True)
            asker.sees(lambda facts: facts.get("seat") == 1)
            assert sorted(asker.facts["hand"]) == hand
            play_on([friend, asker], is_over, seed=4)
    people.finn = new


def thursday(week: Week, people: People) -> None:
    """Finn's words bring his past back, and his two guests become one. Midnight comes during Nora's deal."""
    week.begin(3)
    play(week, people.finn, dice=4)
    lost, words = people.finn, people.finns_words
    wrong = {"in another order": words[::-1], "one missing": words[:5], "none": []}
    for name, typed in wrong.items():
        assert refusal(lost, "POST", "/api/device/words", {"words": " ".join(typed)}) == "device.words", name
    before = lost.me["id"]
    lost.call("POST", "/api/device/words", {"words": " ".join(words).upper()})
    taken = lost.call("POST", "/api/device/take", {"own": "merge"})
    assert taken["name"] == "Finn"
    assert taken["id"] != before
    lost.me = taken
    days = lost.call("GET", "/api/day-deals")["days"]
    assert [cell["status"] for cell in days[-4:]] == ["over", "new", "new", "over"], "Monday's and today's"
    assert len(lost.call("GET", "/api/history")["rows"]) == 2, "the match before and the one after"
    # The match of Wednesday is in the league too, although another cookie played it.
    until(lambda: people.nora.call("GET", people.league)["matches"][0]["deals"])
    assert len(people.nora.call("GET", people.league)["matches"]) == 2

    nora, day = people.nora, week.today
    table = attempt(nora, day)
    with nora.at(table) as seat:
        one_play(seat, dice=5)
        week.pass_time(24 * HOUR - week.passed_s % (24 * HOUR) + 5)
        seat.sees(is_over)
    until(lambda: nora.call("GET", day_path(day))["status"] == "unfinished")
    assert refusal(nora, "POST", f"{day_path(day)}/play", {}) == "day.over"
    result = nora.call("GET", day_path(day))
    assert (result["place"], result["played"]) == (None, 1), "Finn's"


def friday(week: Week, people: People) -> None:
    """The server is restarted during Nora's deal, and then its clock is a day behind."""
    week.begin(4)
    nora = people.nora
    table = attempt(nora, week.today)
    with nora.at(table) as seat:
        one_play(seat, dice=6)
        hand = seat.facts["hand"]
    week.restart()
    for guest in (nora, people.finn, people.mira, people.sly):
        guest.server = week.running  # type: ignore[assignment]
    assert attempt(nora, week.today) == table
    with nora.at(table) as seat:
        assert seat.facts["hand"] == hand
    play(week, nora, dice=7)
    assert nora.call("GET", "/api/day-deals/today")["streak"] == 4, "one missed day is forgiven"

    week.set_wrong(-24 * HOUR)
    yesterday, today = (day_path(week.today - timedelta(days=back)) for back in (1, 0))
    assert nora.call("GET", "/api/day-deals/today")["day"] in yesterday
    assert refusal(nora, "POST", f"{yesterday}/play", {}) == "day.played", "a clock set back opens no attempt"
    assert refusal(nora, "POST", f"{today}/play", {}) == "day.unknown"
    week.set_wrong(24 * HOUR)
    assert nora.call("GET", "/api/day-deals/today")["status"] == "over"


def saturday(week: Week, people: People) -> None:
    """Mira plays, downloads all her data, and deletes herself."""
    week.begin(5)
    mira, nora = people.mira, people.nora
    play(week, mira, dice=8)
    play(week, nora, dice=9)
    with zipfile.ZipFile(io.BytesIO(download(mira, "/api/me/data.zip"))) as data:
        days = json.loads(data.read("deals-of-the-day.json"))
        assert [row["day"] for row in days] == [day.isoformat() for day in (MONDAY, week.today)]
        assert json.loads(data.read("guest.json"))["name"] == "Mira"
        text = "".join(data.read(name).decode() for name in data.namelist())
    for other in (nora, people.finn, people.sly, mira):
        assert other.me["id"] not in text, "no guest's id"
    old = tab_of(mira)
    assert refusal(mira, "POST", "/api/me/delete", {"confirm": "some"}) == "request.invalid"
    mira.call("POST", "/api/me/delete", {"confirm": "everything"})
    assert refusal(old, "GET", "/api/history") == "guest.signed_out", "the cookie of her other tab"
    assert mira.call("GET", "/api/me")["id"] != mira.me["id"]
    names = {rank["name"] for rank in nora.call("GET", people.league)["standing"]}
    assert names == {"Nora", "Finn", None}, "she is a player in the old match"
    result = nora.call("GET", day_path(week.today))
    assert result["played"] == 2, "her points still count, without her name"
    assert "Mira" not in json.dumps(result)


def sunday(week: Week, people: People) -> None:
    """One bot instead of three; the week in figures."""
    shown = week.begin(6)
    assert shown["players"] == 2 or 2 not in profile_rules(shown["profile"]).players
    nora = people.nora
    play(week, nora, dice=10)
    today = nora.call("GET", "/api/day-deals/today")
    assert (today["status"], today["streak"]) == ("over", 6)
    calendar = nora.call("GET", "/api/day-deals")["days"][-7:]
    assert [cell["status"] for cell in calendar] == [*["over"] * 3, "unfinished", *["over"] * 3]
    deeds = nora.call("GET", "/api/progress")
    assert deeds["matches"] == 2


def next_monday(week: Week, people: People, capsys: pytest.CaptureFixture[str]) -> None:
    """Everybody can check that the cards of all seven days were fixed on the evening before."""
    week.begin(7)
    for day, table in week.tables.items():
        proof = people.sly.call("GET", f"{day_path(day)}/proof")
        assert proof["commitment"] == week.commitments[day] == commitment(bytes.fromhex(proof["seed"]))
        file = week.folder / f"{day}.rum500"
        file.write_text(people.sly.call("GET", f"/api/tables/{table}/record.rum500"))
        words = [str(day), str(file), "--seed", proof["seed"], "--commitment", week.commitments[day]]
        assert main(["verify", *words]) == 0, capsys.readouterr()
    assert len(week.tables) == 7


def test_week(week: Week, capsys: pytest.CaptureFixture[str]) -> None:
    people = monday(week)
    for day in (tuesday, wednesday, thursday, friday, saturday, sunday):
        day(week, people)
    next_monday(week, people, capsys)
