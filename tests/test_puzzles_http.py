"""Puzzles over HTTP, on a real server: what is sent before and after an answer, ratings, days, and votes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from rum500.ai.known_deal import sample
from rum500.puzzles.collection import Collection, Entry, retired, shipped
from rum500.puzzles.ratings import Rating, next_puzzle
from rum500.rng import Rng
from rum500.rules.notation import play_text
from rum500.server.messages import PositionAdvice
from rum500.server.messages.positions import SeatPosition
from rum500.server.messages.puzzles import PuzzleAnswered, PuzzleResult, PuzzleShown, PuzzleStanding
from rum500.server.messages.table_error import TableError
from rum500.server.practice.positions import seat_position
from rum500.server.practice.puzzle_book import PuzzleBook
from rum500.state import State
from rum500.store import Store
from tests.support.serving import Guest, Running
from tests.support.storing import with_store

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("puzzles")) as running:
        yield running


@pytest.fixture
def ada(server: Running) -> Iterator[Guest]:
    with server.guest("Ada") as guest:
        yield guest


def fetched(guest: Guest, path: str, kind: type) -> Any:
    """What is answered to a GET, read strictly as this type."""
    answer = guest.http.get(path)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=dict if kind is dict else Any)


def answered(guest: Guest, puzzle: str, play: int | str, before: Sequence[int] = ()) -> dict[str, Any]:
    body = {"play": str(play), "before": list(map(str, before))}
    answer = guest.http.post(f"/api/puzzles/{puzzle}/answer", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def an_entry(number: int = 0) -> Entry:
    """One of the shipped puzzles, of which the first is left to the test that counts its answers."""
    entries = shipped().entries
    return entries[1 + number % (len(entries) - 1)] if number else entries[0]


def sent(position: SeatPosition) -> Any:
    """A position as it arrives."""
    return msgspec.json.decode(msgspec.json.encode(position))


def right_plays(entry: Entry) -> list[int]:
    return [move.right[0] for move in entry.puzzle().moves]


def wrong_at_once(entry: Entry) -> list[int]:
    return [entry.puzzle().moves[0].wrong[0].code]


def solve(guest: Guest, entry: Entry) -> dict[str, Any]:
    """The result after the right plays of all moves."""
    *before, last = right_plays(entry)
    found: dict[str, Any] = answered(guest, entry.id, last, before)["result"]
    return found


# --- responses ------------------------------------------------------------------------------------------


def test_puzzle_of_the_day_is_the_same_for_all_without_its_answer(server: Running, ada: Guest) -> None:
    with server.guest("Bob") as bob, server.client() as stranger:
        texts = {each.get("/api/puzzles/daily").text for each in (ada.http, bob.http, stranger)}
    assert len(texts) == 1
    shown = msgspec.json.decode(texts.pop())
    assert shown.keys() == set(PuzzleShown.__struct_fields__)
    assert shown["result"] is None
    assert shown["day"] == datetime.now(UTC).date().isoformat()
    entry = shipped().daily(datetime.now(UTC).date())
    assert shown["id"] == entry.id
    assert shown["position"]["shared"]["hands"] is None
    assert len(entry.puzzle().moves) == shown["moves"] > 1
    assert shown["retired"] is False


@pytest.mark.parametrize("number", range(4))
def test_a_position_is_what_its_seat_knows_whatever_the_hidden_cards_are(number: int) -> None:
    """The bytes for the page are the same in every deal that agrees with the view."""
    view = an_entry(number).puzzle().moves[number % 2].view
    assert view.seat is not None
    expected = msgspec.json.encode(seat_position(view))
    for world in sample(view, Rng(7), 3):
        seen = State(view.rules, world, view.past).view(view.seat)
        other = msgspec.structs.replace(seen, drawn=view.drawn)
        assert msgspec.json.encode(seat_position(other)) == expected


def test_the_course_of_every_puzzle_leads_to_its_table() -> None:
    """The points of what was laid are those on the table, by event, by meld, and by seat."""
    for view in (
        move.view for entry in (*shipped().entries, *retired().entries)[::7] for move in entry.puzzle().moves
    ):
        position = seat_position(view)
        by_event, by_meld = [0] * view.players, [0] * view.players
        for event in position.events:
            if event.kind in ("meld", "lay"):
                assert event.seat is not None
                assert event.points == sum(card.points for card in event.laid or ())
                by_event[event.seat] += event.points
        for meld in position.shared.melds:
            for card in meld.cards:
                by_meld[card.seat] += card.points
        assert tuple(by_event) == tuple(by_meld) == view.laid
        assert position.events[0].kind == "deal"
        assert position.you.hand == tuple(position.you.hand)
        assert len(position.you.hand) == view.hand_sizes[view.seat or 0]


def test_the_rules_are_asked_about_a_position(ada: Guest) -> None:
    entry = next(one for one in retired().entries if one.puzzle().view.phase.name == "PLAY")
    path, puzzle = f"/api/puzzles/{entry.id}/ask", entry.puzzle()
    turn = ada.http.post(path, json={"about": "turn"}).json()
    assert turn.keys() == set(PositionAdvice.__struct_fields__)
    grouped = sorted(card for group in turn["groups"] for card in group["cards"])
    assert grouped == sorted(seat_position(puzzle.view).you.hand)
    one = ada.http.post(path, json={"about": "cards", "cards": grouped[:1]}).json()
    assert one["options"] or one["reason"]["code"]
    wrong = ada.http.post(path, json={"about": "cards", "cards": ["XX"]})
    assert (wrong.status_code, wrong.json()["code"].partition(".")[0]) == (409, "card")


# --- answers --------------------------------------------------------------------------------------------


def test_a_right_answer_is_judged_and_counts_once(ada: Guest) -> None:
    entry = an_entry()
    puzzle = entry.puzzle()
    before, last = right_plays(entry)[:-1], puzzle.moves[-1]
    result = solve(ada, entry)
    assert result["right"]
    assert (result["move"], result["moves"]) == (len(puzzle.moves), len(puzzle.moves))
    assert result["position"] == sent(seat_position(last.view))
    assert result["loss"] == 0
    assert result["before"] == 1_500
    assert result["rating"] > 1_500 and result["provisional"]
    assert result["puzzle_rating"] == entry.rating and result["puzzle_provisional"]
    assert (result["answers"], result["solved"]) == (1, 1)
    leads = {int(one["play"]["code"]): one["lead"] for one in result["candidates"]}
    assert leads == {
        **dict.fromkeys(last.right, 0.0),
        **{one.code: -round(one.loss, 2) for one in last.wrong},
    }
    assert [one["right"] for one in result["levels"]] == [code in last.right for code in last.levels.values()]
    again = answered(ada, entry.id, last.wrong[0].code, before)["result"]
    assert (again["right"], again["before"], again["rating"]) == (False, None, result["rating"])
    shown = fetched(ada, f"/api/puzzles/{entry.id}", dict)
    assert shown["result"]["played"]["code"] == str(last.right[0])
    assert shown["result"]["move"] == len(puzzle.moves)
    standing = fetched(ada, "/api/puzzles", dict)
    assert standing.keys() == set(PuzzleStanding.__struct_fields__)
    assert (standing["answered"], standing["solved"], standing["rating"]) == (1, 1, result["rating"])
    assert standing["provisional"]


def test_a_right_play_leads_to_the_next_move_and_counts_only_with_the_last(ada: Guest) -> None:
    entry = an_entry(5)
    puzzle, plays = entry.puzzle(), right_plays(entry)
    for number, move in enumerate(puzzle.moves[1:], 1):
        found = answered(ada, entry.id, plays[number - 1], plays[: number - 1])
        assert found["result"] is None
        assert found["next"] == sent(seat_position(move.view))
    assert fetched(ada, "/api/puzzles", dict)["answered"] == 0
    wrong = puzzle.moves[1].wrong[-1].code
    result = answered(ada, entry.id, wrong, plays[:1])["result"]
    assert (result["right"], result["move"], result["played"]["code"]) == (False, 2, str(wrong))
    standing = fetched(ada, "/api/puzzles", dict)
    assert (standing["answered"], standing["solved"]) == (1, 0)


def test_later_positions_are_closed_until_the_moves_before_are_right(ada: Guest) -> None:
    """Neither a wrong play before nor a play too many leads on: the first wrong play is the answer."""
    entry = an_entry(6)
    puzzle = entry.puzzle()
    wrong, right = str(puzzle.moves[0].wrong[0].code), str(puzzle.moves[0].right[0])
    path = f"/api/puzzles/{entry.id}/ask"
    hands = [
        sorted(card for group in answer.json()["groups"] for card in group["cards"])
        for answer in (
            ada.http.post(path, json={"about": "turn", "before": before}) for before in ([], [wrong], [right])
        )
    ]
    first, second = (sorted(seat_position(move.view).you.hand) for move in puzzle.moves[:2])
    assert hands == [first, first, second]
    result = answered(ada, entry.id, right, [int(wrong)])["result"]
    assert (result["right"], result["move"], result["played"]["code"]) == (False, 1, wrong)
    many = ada.http.post(f"/api/puzzles/{entry.id}/answer", json={"play": right, "before": [right] * 9})
    assert many.status_code == 422


def test_a_retired_puzzle_is_found_by_its_name_and_says_so(ada: Guest) -> None:
    entry = retired().entries[3]
    shown = fetched(ada, f"/api/puzzles/{entry.id}", dict)
    assert (shown["moves"], shown["retired"]) == (1, True)
    assert solve(ada, entry)["right"]
    assert fetched(ada, f"/api/puzzles/{entry.id}", dict)["result"]["right"]


def test_wrong_answer_gets_its_loss_and_the_reason(ada: Guest) -> None:
    entry = an_entry(1)
    wrong = entry.puzzle().moves[0].wrong[-1]
    result = answered(ada, entry.id, wrong.code)["result"]
    assert not result["right"]
    assert result["loss"] == round(wrong.loss, 2)
    assert result["rating"] < 1_500
    assert result["why"]["message"] == wrong.why.sentence
    assert result["why_of"]["code"] == str(wrong.code)
    own = next(one for one in result["candidates"] if one["play"]["code"] == str(wrong.code))
    assert (own["lead"], own["half"], own["as_good"]) == (0, 0, False)
    assert result["candidates"][0]["lead"] == round(wrong.loss, 2)


def test_a_play_is_typed_or_refused_with_its_reason_and_then_does_not_count(ada: Guest) -> None:
    entry = an_entry(2)
    puzzle = entry.puzzle()
    assert answered(ada, entry.id, "discard")["column"] is not None
    refused = answered(ada, entry.id, 9)
    assert refused.keys() == set(PuzzleAnswered.__struct_fields__)
    assert (refused["result"], refused["refused"] is not None) == (None, True)
    assert fetched(ada, "/api/puzzles", dict)["answered"] == 0
    text = play_text(puzzle.moves[0].right[0], puzzle.view)
    assert answered(ada, entry.id, text)["next"]


def test_missing_cookie_and_unknown_puzzle_are_refused(server: Running, ada: Guest) -> None:
    name = an_entry(9).id
    with server.client() as stranger:
        asked = stranger.post(f"/api/puzzles/{name}/answer", json={"play": "1"})
        assert (asked.status_code, stranger.get("/api/puzzles/next").status_code) == (401, 401)
    assert ada.http.get("/api/puzzles/none").json()["code"] == "puzzle.unknown"
    assert ada.http.post("/api/puzzles/none/answer", json={"play": "1"}).status_code == 404
    assert ada.http.get("/api/puzzles/next?profile=whist").json()["code"] == "profile.unknown"


# --- the next one ---------------------------------------------------------------------------------------


def test_the_next_puzzle_stays_until_it_is_answered_or_put_off(ada: Guest) -> None:
    path = "/api/puzzles/next?profile=persian-rummy"
    first, same = (fetched(ada, path, dict)["id"] for _ in range(2))
    assert first == same
    entry = shipped().get(first) or retired().get(first)
    assert entry is not None
    assert entry.profile == "persian-rummy"
    other = fetched(ada, f"{path}&after={first}", dict)["id"]
    assert other != first
    answered(ada, first, wrong_at_once(entry)[0])
    assert fetched(ada, path, dict)["id"] != first
    games = {one["profile"]: one for one in fetched(ada, "/api/puzzles", dict)["games"]}
    assert {one["puzzles"] for one in games.values()} == {
        len(shipped().of_profile(name).entries) + len(retired().of_profile(name).entries) for name in games
    }
    assert games["persian-rummy"]["answered"] == 1


def test_quiet_puzzles_come_to_the_strongest_too() -> None:
    drawn = [next_puzzle(retired().entries, set(), Rating(2_400.0), Rng(seed)) for seed in range(1_000)]
    quiet = sum(one is not None and one.quiet for one in drawn)
    assert 160 < quiet < 240


def test_puzzle_with_many_votes_against_it_is_not_given(tmp_path: Any) -> None:
    two = Collection(shipped().plan, shipped().entries[:2])
    bad, good = two.entries

    async def vote(store: Store) -> None:
        book = PuzzleBook(store, two)
        with pytest.raises(TableError, match="answer the puzzle first"):
            await book.vote(bad.id, "guest", -1)
        for voters in range(6):
            assert await store.puzzles.with_votes_below(-5) == set()
            await book.answer(bad.id, right_plays(bad), f"guest{voters}", NOON)
            await book.vote(bad.id, f"guest{voters}", -1)
        assert {(await book.next(f"new{number}", None, None)).id for number in range(8)} == {good.id}
        await book.vote(bad.id, "guest0", 1)
        given = {(await book.next(f"new{number}", None, None)).id for number in range(8)}
        assert given == {bad.id, good.id}

    with_store(tmp_path, vote)


def test_older_puzzles_come_when_all_others_are_answered(tmp_path: Any) -> None:
    new, old = (Collection(one.plan, one.entries[:1]) for one in (shipped(), retired()))

    async def answer(store: Store) -> None:
        book = PuzzleBook(store, new, old)
        for collection in (new, old):
            (entry,) = collection.entries
            shown = await book.next("ada", None, None)
            assert (shown.id, shown.retired) == (entry.id, collection is old)
            await book.answer(entry.id, right_plays(entry), "ada", NOON)
        with pytest.raises(TableError, match="all puzzles"):
            await book.next("ada", None, None)
        assert (await book.daily("ada", NOON)).id == new.entries[0].id

    with_store(tmp_path, answer)


def test_votes_are_kept_and_answered(ada: Guest) -> None:
    entry = an_entry(3)
    path = f"/api/puzzles/{entry.id}/vote"
    assert ada.http.post(path, json={"vote": 1}).json()["code"] == "puzzle.unanswered"
    solve(ada, entry)
    assert ada.http.post(path, json={"vote": 1}).json() == {"vote": 1}
    assert fetched(ada, f"/api/puzzles/{entry.id}", dict)["result"]["vote"] == 1
    assert ada.http.post(path, json={"vote": 2}).status_code == 422


def test_puzzles_become_harder_and_easier_by_answers(tmp_path: Any) -> None:
    entry = replace(shipped().entries[0], rating=1_600.0)

    async def answer(store: Store) -> None:
        book = PuzzleBook(store, Collection(shipped().plan, (entry,)))
        await book.answer(entry.id, wrong_at_once(entry), "ada", NOON)
        harder = (await store.puzzles.ratings())[entry.id].mean
        assert harder > 1_600
        result = await book.answer(entry.id, right_plays(entry), "bob", NOON)
        assert isinstance(result, PuzzleResult)
        assert result.puzzle_rating == harder
        assert (result.answers, result.solved) == (2, 1)
        assert (await store.puzzles.ratings())[entry.id].mean < harder
        with pytest.raises(TableError, match="all puzzles"):
            await book.next("ada", None, None)

    with_store(tmp_path, answer)


# --- days, and what is kept -----------------------------------------------------------------------------


def test_days_in_a_row_count_by_the_puzzle_of_the_day(tmp_path: Any) -> None:
    async def solve(store: Store) -> None:
        book = PuzzleBook(store, shipped(), retired())
        streaks = []
        for after in (0, 1, 2, 4):
            now = NOON + timedelta(days=after)
            shown = await book.daily("ada", now)
            entry = shipped().get(shown.id) or retired().get(shown.id)
            assert entry is not None
            result = await book.answer(shown.id, wrong_at_once(entry), "ada", now)
            assert isinstance(result, PuzzleResult)
            streaks.append(result.streak)
        assert streaks == [1, 2, 3, 1]
        standing = await book.standing("ada", NOON + timedelta(days=5))
        assert (standing.streak, standing.today, standing.day) == (1, False, "2026-11-29")
        assert (await book.standing("ada", NOON + timedelta(days=6))).streak == 0

    with_store(tmp_path, solve)


def test_answers_go_with_their_guest_and_stay_with_who_was_here_since(tmp_path: Any) -> None:
    entry = retired().entries[1]

    async def prune(store: Store) -> None:
        book = PuzzleBook(store, shipped(), retired())
        for guest, days in (("old", 0), ("new", 2), ("seen", 0)):
            await book.answer(entry.id, right_plays(entry), guest, NOON + timedelta(days=days))
            await store.puzzles.save_day(guest, 1)
        later = int((NOON + timedelta(days=1)).timestamp() * 1000)
        await store.save_guest("seen", "Seen", later + 1)
        await store.save_guest("new", "New", 1)
        assert (await store.prune(later)).guests == 0
        left = [len(await store.puzzles.of(guest)) for guest in ("old", "new", "seen")]
        days = [len(await store.puzzles.days(guest)) for guest in ("old", "new", "seen")]
        assert left == days == [0, 1, 1]
        assert await store.guest("new") is not None

    with_store(tmp_path, prune)


def test_answers_can_be_downloaded_as_csv(ada: Guest) -> None:
    entry = an_entry(8)
    puzzle = entry.puzzle()
    first, second = puzzle.moves[:2]
    answered(ada, entry.id, second.wrong[0].code, first.right[:1])
    answer = ada.http.get("/api/puzzles/answers.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["puzzle"], row["game"], row["right"]) == (entry.id, puzzle.view.rules.title, "no")
    one, two = (first.right[0], first.view), (second.wrong[0].code, second.view)
    assert row["play"] == f"{play_text(*one)}; {play_text(*two)}"
