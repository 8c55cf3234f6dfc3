"""The deal of the day: one deck for everybody, one attempt, results, and what stays secret."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rum500.cards import card_text
from rum500.cli import main
from rum500.puzzles.day_deal import QUICK, DayDeal, deal_number, seed_of_date
from rum500.record import Record
from rum500.record.fair import commitment
from rum500.rules.profiles import profile_rules
from rum500.server import messages
from rum500.server.guests import Names
from rum500.server.live.log.day_attempts import end_of
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table import LiveTable
from rum500.server.messages.day_deals import DayProgress
from rum500.server.messages.table_error import TableError
from rum500.server.practice.day_book import DayBook, streak_at
from rum500.server.work_scheduler import Asker
from rum500.state import State
from rum500.store import DayAttempt
from tests.support.live import Person, Room, at_each_store, at_tables
from tests.support.moved_time import MovedTime
from tests.support.serving import Running
from tests.support.storing import entry
from tests.support.storing import row as stored_row

FAR = date(2026, 1, 1)


# --- the plan ---------------------------------------------------------------------------------------------


def test_every_second_day_is_500_rum_and_sundays_have_one_bot() -> None:
    deals = [DayDeal(day, seed_of_date(day)) for day in (FAR + timedelta(days=at) for at in range(84))]
    assert [deal.number for deal in deals] == list(range(1, 85))
    assert {deal.rules.name for deal in deals if deal.number % 2 == 0} == {"500-rum"}
    others = [deal.rules.name for deal in deals if deal.number % 2]
    assert len(set(others)) == 6
    assert others[:6] * 7 == others
    for deal in deals:
        wanted = 2 if deal.day.weekday() == 6 else 4
        assert deal.players == wanted or wanted not in profile_rules(deal.rules.name).players
    assert deals[0].level == "club"


def test_the_person_plays_first_so_that_no_bot_goes_out_before() -> None:
    for at in range(84):
        day = FAR + timedelta(days=at)
        deal = DayDeal(day, seed_of_date(day))
        assert State.new(deal.rules, deal.players, deal.deck, deal.dealer).actor == 0


def test_cards_dealer_and_bots_follow_from_the_seed() -> None:
    day = date(2026, 11, 26)
    deal, again, other = (DayDeal(day, bytes([number]) * 32) for number in (1, 1, 2))
    assert (deal.deck, deal.dealer, deal.bots_seed) == (again.deck, again.dealer, again.bots_seed)
    assert (deal.deck, deal.bots_seed) != (other.deck, other.bots_seed)
    assert sorted(deal.deck) == sorted(deal.rules.deck(4))
    tomorrow = DayDeal(day + timedelta(days=2), bytes([1]) * 32)
    assert tomorrow.rules == deal.rules
    assert tomorrow.deck != deal.deck
    with pytest.raises(ValueError, match="is earlier"):
        deal_number(FAR - timedelta(days=1))


def test_club_plays_the_same_games_again_and_different_games_differ() -> None:
    day = date(2026, 11, 26)
    deal = DayDeal(day, seed_of_date(day))
    found = [deal.played_by("club", game) for game in range(4)]
    assert found == [deal.played_by("club", game) for game in range(4)]
    assert len(set(found)) > 1


@pytest.mark.parametrize(
    ("played", "streak"),
    [
        ([], 0),
        ([100], 1),
        ([99], 1),
        ([98], 1),
        ([97], 0),
        ([100, 99, 98], 3),
        ([100, 98, 97, 95], 4),
        ([100, 97], 1),
        ([99, 98, 96, 93], 3),
    ],
)
def test_a_single_missed_day_does_not_end_a_streak(played: Sequence[int], streak: int) -> None:
    assert streak_at(set(played), 100) == streak


# --- at tables --------------------------------------------------------------------------------------------


def book_of(room: Room) -> DayBook:
    store = room.tables.services.store
    return DayBook(store, room.tables, Names(store), room.tables.services.executor)  # type: ignore[arg-type]


async def begun(room: Room, book: DayBook, guest: str, day: date | None = None, **more: Any) -> str:
    chosen = {"practice": False, "bot_pause_ms": 0, "address": "", "check": lambda: None} | more
    return await book.play(day or book.today, guest, **chosen)


async def joined(room: Room, book: DayBook, guest: str, **more: Any) -> Person:
    return await room.join(await begun(room, book, guest.lower(), **more), guest)


async def refusal(code: str, work: Any) -> None:
    with pytest.raises(TableError) as caught:
        await work
    assert caught.value.code == code


async def to_end(room: Room, person: Person) -> None:
    """Play to the end, as `greedy` would."""
    while not person.table.log.state.ended:
        if person.may:
            await person.move()
        else:
            await room.pass_time(1)


def never_seen(person: Person) -> set[str]:
    """Return the cards of a finished deal that the person could not see before its last play."""
    table = person.table.log.state
    deal, seen = table.deals[-1], set[int]()
    state = State.new(table.rules, deal.players, deal.deck, deal.dealer)
    for code in deal.plays:
        laid = [placed.card for meld in state.melds for placed in meld.cards]
        seen |= {*state.hands[0], *state.pile, *laid}
        state.apply_int(code)
    return {card_text(card) for card in set(deal.deck) - seen}


@at_each_store
async def test_guests_get_the_same_cards_and_bots_and_one_attempt(room: Room) -> None:
    book = book_of(room)
    ann, ben = [await joined(room, book, name) for name in ("Ann", "Ben")]
    await ben.ask(messages.Chat, text="hello")  # what else is in the log changes no choice of a bot
    for person in (ann, ben):
        await to_end(room, person)
    histories = [person.table.log.state.deals[-1] for person in (ann, ben)]
    assert histories[0].deck == histories[1].deck
    assert histories[0].plays == histories[1].plays
    today = await book.shown_today("ann")
    match = ann.table.log.state.match
    assert match is not None
    assert (today.status, today.points) == ("over", match.sheet[-1].points[0])
    assert (today.played, today.place, today.streak) == (2, 1, 1)
    await refusal("day.played", begun(room, book, "ann"))
    assert await room.store.results.of_guest("ann") == []


@at_each_store
async def test_an_attempt_is_resumed_at_the_same_table(room: Room) -> None:
    book = book_of(room)
    ann = await joined(room, book, "Ann")
    while not ann.may:
        await room.pass_time(1)
    await ann.move()
    assert await begun(room, book, "ann") == ann.table.id
    today = await book.shown_today("ann")
    hand, laid = ann.own["hand"], ann.shared["laid"][0]
    assert today.status == "playing"
    assert today.progress == DayProgress(my_turn=True, turn=1, cards=len(hand), points=laid)
    if room.data is None:
        await room.crash()
        book = book_of(room)
        assert await begun(room, book, "ann") == ann.table.id
        again = await room.join(ann.table.id, "Ann")
        assert again.table.log.state.deals[-1].plays[:1] == ann.table.log.state.deals[-1].plays[:1]
        await to_end(room, again)
        assert (await book.shown_today("ann")).status == "over"


@at_each_store
async def test_requests_at_the_same_time_get_one_table(room: Room) -> None:
    book = book_of(room)
    made = await asyncio.gather(*[begun(room, book, "ann") for _ in range(5)])
    assert len(set(made)) == 1


@at_each_store
async def test_no_payload_holds_a_hidden_card_before_the_end(room: Room) -> None:
    room.clock.time += 86_400 * (deal_number(book_of(room).today) % 2)  # a day with 500 Rum and one pack
    book = book_of(room)
    ann = await joined(room, book, "Ann")
    state = ann.table.log.state
    assert state.rules.name == "500-rum"
    await to_end(room, ann)
    hidden = never_seen(ann)
    assert hidden
    sent = [data.decode() for data in ann.raw]
    ends = next(at for at, data in enumerate(sent) if '"status":"over"' in data)
    leaked = {card for data in sent[:ends] for card in hidden if f'"{card}"' in data}
    assert leaked == set()
    assert any(card in sent[-1] for card in hidden) or any(f'"{card}"' in sent[ends] for card in hidden)


@at_each_store
async def test_nobody_else_sees_a_table_or_its_replay_on_the_day(room: Room) -> None:
    book = book_of(room)
    ann = await joined(room, book, "Ann")
    live = await room.tables.get(ann.table.id)
    assert live is not None
    ben = Person(room, live, Guest("ben", "Ben"))
    ben.connect()
    refused = await ben.do(messages.Join(id="m", last=0))
    assert isinstance(refused, messages.Refused)
    assert refused.reason.code == "day.private"
    await refusal("day.alone", live.make_bot_token("ann", 0, "Bot"))
    await to_end(room, ann)
    await refusal("day.playing", book.result(book.today, "ben", Asker.of("ben")))
    for who, code in (("ben", "day.secret"), ("ann", None)):
        asker = Asker.of(who)
        for look in (
            room.tables.replay(live.id, 1, asker),
            room.tables.record(live.id, 1, asker),
            room.tables.deals(live.id, asker),
            room.tables.try_again(live.id, 1, 0, Guest(who, who), redealt=False),
        ):
            if code:
                await refusal(code, look)
            else:
                assert await look is not None
    await room.pass_time(86_400)
    assert await room.tables.replay(live.id, 1, Asker.of("ben")) is not None


@at_each_store
async def test_at_midnight_an_attempt_ends_as_not_finished(room: Room) -> None:
    book = book_of(room)
    day = book.today
    ann = await joined(room, book, "Ann")
    while not ann.may:
        await room.pass_time(1)
    row = await room.store.table(ann.table.id)
    assert row is not None
    assert row.due == end_of(day)
    room.clock.time += (end_of(day) - room.clock.wall()) / 1000 + 0.5  # the alarm has not rung yet
    assert isinstance(late := await ann.move(), messages.Refused)
    assert late.reason.code == "day.over"
    await room.pass_time(5)
    assert ann.table.log.state.status == "abandoned"
    attempt = await room.store.day_deals.attempt("ann", day.toordinal())
    assert attempt is not None
    assert (attempt.status, attempt.points) == ("unfinished", None)
    await refusal("day.over", begun(room, book, "ann", day))
    result = await book.result(day, "ann", Asker.of("ann"))
    assert (result.status, result.played, result.place) == ("unfinished", 0, None)
    today = await book.shown_today("ann")
    assert (today.day, today.status) == ((day + timedelta(days=1)).isoformat(), "new")


@at_each_store
async def test_a_table_that_nobody_views_ends_at_midnight_too(room: Room) -> None:
    book = book_of(room)
    day = book.today
    ann = await joined(room, book, "Ann")
    await ann.leave()
    await room.pass_time(3600)
    assert len(room.tables) == 0
    await room.pass_time(86_400)
    row = await room.store.table(ann.table.id)
    assert row is not None
    assert (row.status, row.due) == ("abandoned", None)
    attempt = await room.store.day_deals.attempt("ann", day.toordinal())
    assert attempt is not None
    assert attempt.status == "unfinished"


@at_each_store
async def test_resigning_counts_as_not_finished(room: Room) -> None:
    book = book_of(room)
    ann = await joined(room, book, "Ann")
    await (await live_at(room, ann)).end_alone("ann")
    assert (await book.shown_today("ann")).status == "unfinished"
    await refusal("day.played", begun(room, book, "ann"))
    assert (await book.result(book.today, "ann", Asker.of("ann"))).counts == []


async def live_at(room: Room, person: Person) -> LiveTable:
    live = await room.tables.get(person.table.id)
    assert live is not None
    return live


@at_each_store
async def test_old_deals_are_practised_and_never_count(room: Room) -> None:
    book = book_of(room)
    day = book.today
    await refusal("day.today", begun(room, book, "ann", practice=True))
    deck = (await book.deal(day)).deck
    await room.pass_time(86_400)
    await refusal("day.over", begun(room, book, "ann", day))
    ann = await joined(room, book, "Ann", day=day, practice=True)
    assert ann.table.log.state.deals[-1].deck == deck
    assert (await room.store.table(ann.table.id)).due is None  # type: ignore[union-attr]
    await to_end(room, ann)
    result = await book.result(day, "ann", Asker.of("ann"))
    assert (result.status, result.played, result.place, result.counts) == ("practised", 0, None, [])
    calendar = await book.calendar("ann")
    assert [cell.status for cell in calendar.days[-3:]] == ["new", "practised", "new"]
    assert (len(calendar.days), calendar.streak) == (30 if day >= FAR + timedelta(days=30) else 1, 0)
    await to_end(room, await joined(room, book, "Ann", day=day, practice=True))


@at_tables
async def test_places_come_from_a_table_of_counts(room: Room) -> None:
    book, store = book_of(room), room.store
    await store.save_guest("ann", "Ann", 1)
    ann = await joined(room, book, "Ann")
    await to_end(room, ann)
    mine = (await book.shown_today("ann")).points
    assert mine is not None
    number = book.today.toordinal()
    for at, points in enumerate((mine + 5, mine + 5, mine, mine - 1, mine - 9)):
        name = f"guest{at}"
        row = DayAttempt(day=number, guest_id=name, table_id=name, status="playing", points=None, at=1)
        await store.day_deals.begin(row)
        await store.create_table(stored_row(name), [entry(1)])
        over = msgspec.structs.replace(row, status="over", points=points)
        await store.append(name, [entry(2)], ended=over)
    result = await book.result(book.today, "ann", Asker.of("ann"))
    assert result.counts == [(mine - 9, 1), (mine - 1, 1), (mine, 2), (mine + 5, 2)]
    assert (result.played, result.place, result.best) == (6, 3, mine + 5)
    assert [(one.place, one.points, one.mine) for one in result.near] == [
        (1, mine + 5, False), (3, mine, False), (3, mine, True), (5, mine - 1, False), (6, mine - 9, False),
    ]  # fmt: skip
    assert [one.name for one in result.near] == [None, None, "Ann", None, None]
    await store.create_table(stored_row("common", people=["guest3", "ann"]), [entry(1)])
    await store.save_guest("guest3", "Gus", 1)
    whole = await book.standing(book.today, "ann", 0, 4)
    assert whole.played == 6
    assert [(one.place, one.points, one.name) for one in whole.rows] == [
        (1, mine + 5, None), (1, mine + 5, None), (3, mine, None), (3, mine, "Ann"),
    ]  # fmt: skip
    rest = await book.standing(book.today, "ann", 4, 4)
    assert [(one.place, one.name) for one in rest.rows] == [(5, "Gus"), (6, None)]
    await refusal("day.playing", book.standing(book.today, "ben", 0, 4))


@at_each_store
async def test_a_guest_who_is_alone_is_compared_with_every_level(room: Room) -> None:
    book = book_of(room)
    ann = await joined(room, book, "Ann")
    await to_end(room, ann)
    while (result := await book.result(book.today, "ann", Asker.of("ann"))).awaited:
        await room.settle()
    assert [(bot.level, bot.games) for bot in result.bots] == [(level, 40) for level in QUICK]
    assert result.place == 1
    await to_end(room, await joined(room, book, "Ben"))
    if room.data is not None:
        return  # a device has one person
    result = await book.result(book.today, "ann", Asker.of("ann"))
    assert ([bot.level for bot in result.bots], result.awaited) == (["club"], [])


@at_each_store
async def test_club_plays_the_same_cards_forty_times_once(room: Room) -> None:
    book = book_of(room)
    await book.shown_today(None)
    number = book.today.toordinal()

    async def stored() -> dict[tuple[int, str], list[int]]:
        return dict(await room.store.day_deals.bots([number]))

    while not (found := await stored()):
        await room.settle()
    deal = await book.deal(book.today)
    assert found == {(number, "club"): [deal.played_by("club", game) for game in range(40)]}
    ann = await joined(room, book, "Ann")
    assert (await book.shown_today("ann")).club is None
    await to_end(room, ann)
    today, result = await book.shown_today("ann"), await book.result(book.today, "ann", Asker.of("ann"))
    club = result.bots[-1]
    assert (club.level, club.games, club.mean) == ("club", 40, today.club)
    assert min(found[number, "club"]) <= club.low <= club.high <= max(found[number, "club"])


@at_tables
async def test_commitments_come_before_and_seeds_after_the_day(room: Room) -> None:
    book = book_of(room)
    day = book.today
    before = await book.shown_today(None)
    ann = await joined(room, book, "Ann")
    await to_end(room, ann)
    assert (await book.proof(day.isoformat())).seed == ""
    promised = await book.proof((day + timedelta(days=1)).isoformat())
    assert (promised.commitment, promised.seed) == (before.next_commitment, "")
    await refusal("day.unknown", book.proof((day + timedelta(days=2)).isoformat()))
    await refusal("day.unknown", book.proof((day - timedelta(days=1)).isoformat()))
    await room.pass_time(86_400)
    proof = await book.proof(day.isoformat())
    assert proof.commitment == before.commitment == commitment(bytes.fromhex(proof.seed))
    deck = ann.table.log.state.deals[-1].deck
    assert DayDeal(day, bytes.fromhex(proof.seed)).deck == deck
    assert proof.pack == [card_text(card) for card in sorted(deck)]
    text = await room.tables.record(ann.table.id, 1)
    assert text is not None
    record = Record.from_text(text)
    assert record.verify() == []
    assert dict(record.deals[0].tags)["TriedAgain"] == f"the deal of the day {day}"
    assert (await book.shown_today(None)).commitment == before.next_commitment
    file = room.folder.with_name("deal.rum500")
    file.write_text(text)
    words = ["verify", str(day), str(file), "--seed", proof.seed, "--commitment", before.commitment]
    assert main(words) == 0
    with pytest.raises(SystemExit):
        main([*words[:-1], before.next_commitment])
    with pytest.raises(SystemExit):
        main(["verify", str(day), str(file)])


@at_tables
async def test_a_day_in_a_wrong_form_is_unknown(room: Room) -> None:
    book = book_of(room)
    later = (book.today + timedelta(days=1)).isoformat()
    for day in ("2026-02-30", "2025-12-31", "yesterday", later):
        with pytest.raises(TableError) as caught:
            book.day(day)
        assert caught.value.code == "day.unknown"


def test_a_clock_before_the_first_deal_is_named(tmp_path: Path) -> None:
    early = datetime(2025, 12, 31, 12, tzinfo=UTC)
    with Running(tmp_path, time=lambda: MovedTime(early), push=False) as server, server.client() as client:
        client.get("/api/me")
        today = client.get("/api/day-deals/today")
        assert (today.status_code, today.json()["code"]) == (409, "day.early")
        assert client.get("/api/day-deals").json() == {"days": [], "streak": 0}
        assert client.get("/api/day-deals/2025-12-31").json()["code"] == "day.unknown"
        assert client.get("/api/day-deals/2026-01-01/proof").json()["seed"] == ""


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["2025-12-31"], "DAY: the first deal of the day is that of 2026-01-01; 2025-12-31 is earlier\n"),
        (["today"], "DAY: found 'today', expected a date such as 2026-11-26\n"),
        (["2026-11-26", "--seed", "AB"], "--seed: expected 64 digits in lower-case hexadecimal"),
    ],
)
def test_verify_refuses_wrong_words(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", *words]) == 2
    assert why in capsys.readouterr().err


def test_deals_of_the_day_over_http(tmp_path: Path) -> None:
    with Running(tmp_path) as running, running.guest("Ada") as ada, running.guest("Ben") as ben:
        today = ada.http.get("/api/day-deals/today").json()
        assert today["status"] == "new"
        assert 0 <= today["left_s"] <= 86_400
        path = f"/api/day-deals/{today['day']}"
        made = ada.http.post(f"{path}/play", json={})
        assert made.status_code == 201
        assert ada.http.post(f"{path}/play", json={}).json() == made.json()
        assert ben.http.post(f"{path}/play", json={}).json() != made.json()
        assert (found := ada.http.get(path)).status_code == 409
        assert found.json()["code"] == "day.playing"
        table = made.json()["id"]
        assert ada.http.post(f"/api/tables/{table}/end", json={}).status_code == 200
        assert ada.http.get(path).json()["status"] == "unfinished"
        assert (again := ada.http.post(f"{path}/play", json={})).status_code == 409
        assert again.json()["code"] == "day.played"
        assert ada.http.get("/api/day-deals").json()["days"][-1]["status"] == "unfinished"
        assert ada.http.get(f"{path}/proof").json()["seed"] == ""
        assert ada.http.get("/api/day-deals/2025-01-01").status_code == 404
        assert ada.http.get("/api/day-deals/tomorrow").status_code == 422
        with zipfile.ZipFile(io.BytesIO(ada.http.get("/api/history.zip").content)) as file:
            (kept,) = json.loads(file.read("deals-of-the-day.json"))
        assert (kept["day"], kept["status"]) == (today["day"], "unfinished")
