"""Tables with a day for each turn: their clocks, the end of a turn's time, and votes over days."""

from __future__ import annotations

import msgspec
import pytest

from rum500.rng import Rng
from rum500.rules.action_codes import encode
from rum500.rules.actions import LetGo
from rum500.server import messages
from rum500.server.live.log import entries as log
from rum500.server.live.log.table_options import Guest
from rum500.server.messages.options import TableOptions
from rum500.server.messages.table_error import TableError
from rum500.view import View
from tests.support.live import AtOnce, Person, Room, at_each_store
from tests.support.live_days import DAY, HOUR, all_leave, back, by_days, later, log_of, row_of, state_of
from tests.support.live_deals import four_claiming
from tests.test_live_tables import code, done

# --- the clock ---------------------------------------------------------------------------------------


@at_each_store
async def test_clock_of_days_runs_without_viewers(room: Room):
    first, second = await by_days(room, bank_s=3 * DAY)
    await room.pass_time(HOUR)
    clock = second.shared["clock"]
    assert (clock.seat, clock.running, clock.bank_ms.ms) == (first.seat, True, 3 * DAY * 1000)
    await all_leave(room, first, second)
    await later(room, 5 * HOUR - 100)
    await room.crash()  # half a day less 500 s later, in which no server ran
    room.clock.time += 6 * HOUR - 500
    first = await back(room, first)
    assert first.shared["clock"].turn_ms.ms == 12 * HOUR * 1000
    done(await first.move())
    assert first.shared["clock"].turn_ms.ms == 12 * HOUR * 1000
    await first.leave()
    await later(room, 14 * HOUR)
    first = await back(room, first)
    clock = first.shared["clock"]
    assert (clock.turn_ms.ms, clock.bank_ms.ms) == (0, (3 * DAY - 2 * HOUR) * 1000)
    await first.turn()
    assert first.shared["banks"][first.seat] == (3 * DAY - 2 * HOUR) * 1000
    assert not any(isinstance(line, log.Stopped) for line in await log_of(room, first))


@pytest.mark.parametrize(
    ("turn_s", "bank_s", "bank"),
    [(20, None, 120), (DAY - 1, None, 120), (2 * DAY, None, 2 * DAY), (7 * DAY, 0, 0), (None, None, 120)],
)
def test_the_usual_bank_is_as_long_as_a_turn_of_days(turn_s: int | None, bank_s: int | None, bank: int):
    options = TableOptions(profile="500-rum", turn_s=turn_s, bank_s=bank_s)
    assert options.bank == bank
    read = msgspec.json.decode(msgspec.json.encode(options), type=TableOptions)
    assert (read, read.bank) == (options, bank)


@at_each_store
async def test_no_player_counts_as_away_by_a_clock_of_days(room: Room):
    first, second = await by_days(room, leaver_s=60)
    await first.leave()
    await later(room, 20 * HOUR)
    plate = second.shared["seats"][first.seat]
    assert (plate.here, plate.bot_in_ms, plate.replace_in_ms) == (False, None, None)
    assert (second.may, second.shared["actor"]) == ([], first.seat)
    assert code(await second.ask(messages.Vote, on="replace", yes=True)) == "table.vote"


# --- the end of the time -----------------------------------------------------------------------------


@at_each_store
async def test_bot_plays_the_turn_when_the_clock_of_days_ends(room: Room):
    first, second = await by_days(room, bank_s=DAY)
    asked = first.shared["asked"]
    due = (await row_of(room, first)).due
    assert due == (await state_of(room, first)).asked_at + 2 * DAY * 1000
    await all_leave(room, first, second)
    await later(room, (due - room.clock.wall() - 1000) / 1000)
    assert ((await state_of(room, first)).asked, len(room.tables)) == (asked, 0)
    await later(room, 2)
    assert len(room.tables) == 1
    state = await state_of(room, first)
    lines = await log_of(room, first)
    (timed_out,) = (number for number, line in enumerate(lines) if isinstance(line, log.TimedOut))
    rest = lines[timed_out + 1 :]
    assert rest
    assert all(isinstance(line, log.Played) and line.bot and not line.spent for line in rest)
    player, other = state.player_of(first.guest.id), state.player_of(second.guest.id)
    assert player is not None
    assert (state.status, state.acting_player, state.clock.timed_out) == ("playing", other, None)
    assert state.clock.bank_ms[player] == 0
    assert state.asked_at == state.changed_at
    assert (await row_of(room, first)).due == state.asked_at + 2 * DAY * 1000
    assert (await row_of(room, first)).updated == state.changed_at
    await room.pass_time(100)
    assert len(room.tables) == 0, "it rests again"
    second = await back(room, second)
    await second.turn()
    first = await back(room, first)
    assert first.may, "the next turn is the person's own"
    clock = first.shared["clock"]
    assert (clock.turn_ms.ms, clock.bank_ms.ms) == (DAY * 1000, 0)


@at_each_store
async def test_that_bot_is_of_the_table_s_level(room: Room, monkeypatch: pytest.MonkeyPatch):
    levels: list[str] = []

    class Noting(AtOnce):
        def choose(self, level: str, view: View, chance: Rng, done: object, who: object) -> int:
            levels.append(level)
            return super().choose(level, view, chance, done, who)

    first, _ = await by_days(room, bank_s=0, level="random")
    monkeypatch.setattr(first.table._bots, "_executor", Noting())
    await later(room, DAY + 1)
    assert set(levels) == {"random"}


@at_each_store
async def test_viewer_sees_the_clock_of_days_run_out(room: Room):
    first, second = await by_days(room, bank_s=0)
    await later(room, DAY - 1)
    assert first.may
    await later(room, 2)
    assert not first.may
    assert second.may
    assert {event.by_bot for event in second.events if event.kind == "discard"} == {True}


@at_each_store
async def test_match_of_two_absent_players_ends(room: Room):
    """Every turn is played when its day is over, every deal begins, and then nothing is due any more."""
    first, second = await by_days(room, bank_s=0, target=60)
    await all_leave(room, first, second)
    for _ in range(400):
        row = await row_of(room, first)
        if row.due is None:
            break
        await later(room, max(1.0, (row.due - room.clock.wall()) / 1000 + 1))
        await room.pass_time(30)
    state = await state_of(room, first)
    assert (state.status, row.status) == ("over", "over")
    assert all(line.bot for line in await log_of(room, first) if isinstance(line, log.Played))
    assert state.match is not None
    assert state.match.result is not None
    assert state.match.result.reason == "target"
    await room.pass_time(100)
    assert len(room.tables) == 0


@at_each_store
async def test_server_outage_costs_at_most_one_turn_of_days(room: Room):
    first, second = await by_days(room, bank_s=0)
    await all_leave(room, first, second)
    await room.crash()
    room.clock.time += 9 * DAY
    await room.pass_time(1)
    assert len(room.tables) == 1, "woken without anybody's asking"
    lines = await log_of(room, first)
    assert sum(isinstance(line, log.TimedOut) for line in lines) == 1
    state = await state_of(room, first)
    assert state.acting_player == state.player_of(second.guest.id)
    assert (await row_of(room, first)).due == state.asked_at + DAY * 1000
    assert state.asked_at == room.clock.wall() - 1000


@at_each_store
async def test_a_turn_that_a_bot_had_begun_is_played_out_after_a_crash(room: Room):
    first, second = await by_days(room, bank_s=0)
    state = first.table.log.state
    at = state.asked_at + DAY * 1000
    line = log.to_stored(state.number + 1, at, log.TimedOut(state.acting_player or 0), None, None)
    await all_leave(room, first, second)
    await room.store.append(first.table.id, [line], due=state.asked_at)
    await room.crash()
    await room.pass_time(1)
    state = await state_of(room, first)
    assert state.acting_player == state.player_of(second.guest.id)


# --- between deals -----------------------------------------------------------------------------------


async def at_the_sheet(room: Room, **options: object) -> tuple[Person, Person]:
    """Two at the end of a deal."""
    first, second = await by_days(room, **options)
    for _ in range(400):
        actor = next((person for person in (first, second) if person.may), None)
        if first.shared["waiting_for"] == "next" or actor is None:
            break
        done(await actor.move())
    assert first.shared["waiting_for"] == "next"
    return first, second


@at_each_store
async def test_next_deal_of_days_waits_for_absent_players(room: Room):
    first, second = await at_the_sheet(room)
    await second.leave()
    done(await first.ask(messages.Next))
    await later(room, 5 * HOUR)
    assert first.shared["waiting_for"] == "next"
    await all_leave(room, first)
    second = await back(room, second)
    done(await second.ask(messages.Next))
    await room.pass_time(30)
    assert (second.shared["waiting_for"], second.shared["deal"]) == ("play", 2)


@at_each_store
async def test_the_next_deal_begins_after_the_time_of_a_turn(room: Room):
    first, second = await at_the_sheet(room, bank_s=3 * DAY)
    due = (await row_of(room, first)).due
    assert due == (await state_of(room, first)).asked_at + DAY * 1000, "without the bank"
    await all_leave(room, first, second)
    await later(room, DAY)
    await room.pass_time(30)
    state = await state_of(room, first)
    assert (state.waiting_for, len(state.deals), state.deals[-1].number) == ("play", 1, 2)
    assert state.clock.bank_ms == [3 * DAY * 1000] * 2


# --- calls of "Rummy!" -------------------------------------------------------------------------------


@at_each_store
async def test_claim_window_of_days_lasts_a_turn(room: Room):
    ann, ben, cleo, dan = await four_claiming(room, turn_s=DAY, bank_s=0)
    for person in (ben, cleo, dan):
        await person.leave()
    done(await ann.say("discard 9S"))
    window = ann.shared["claim"]
    assert (window.seats, window.left_ms.ms, window.total_ms) == ((1, 2, 3), DAY * 1000, DAY * 1000)
    await ann.leave()
    await later(room, 50)
    await ann.join()
    assert ann.shared["claim"].left_ms.ms == (DAY - 50) * 1000, "it runs while nobody is there"
    await later(room, 20 * HOUR - 50)
    assert (await cleo.join()).options.claim_s == DAY
    assert sorted(cleo.may) == ["call", "let_go"]
    assert cleo.shared["claim"].left_ms.ms == 4 * HOUR * 1000
    done(await cleo.play(cleo.own["calls"]["1"]))
    assert (ann.shared["turn"], ann.shared["must_use"]) == (cleo.seat, "9S")


@at_each_store
async def test_claim_of_days_lapses_without_an_answer(room: Room):
    ann, *others = await four_claiming(room, turn_s=DAY, bank_s=DAY)
    for person in others:
        await person.leave()
    done(await ann.say("discard 9S"))
    await later(room, DAY - 1)
    assert ann.shared["claim"] is not None
    await later(room, 2)
    assert (ann.shared["claim"], ann.shared["actor"], ann.shared["phase"]) == (None, 1, "draw")
    assert ann.table.log.state.clock.bank_ms == [DAY * 1000] * 4


def calls(person: Person) -> list[tuple[int | None, bool | None]]:
    """Who called "Rummy!", and whether a bot did it."""
    return [(event.seat, event.by_bot) for event in person.events if event.kind == "call"]


@at_each_store
async def test_bots_answer_after_the_people(room: Room):
    """Also the one whom the rules would ask first: who comes once a day is not to lose every call to it."""
    ann, dan = await four_claiming(room, (None, "greedy", "greedy", None), turn_s=DAY)
    done(await ann.say("discard 9S"))
    await later(room, 20 * HOUR)
    assert (ann.shared["claim"].seats, calls(ann)) == ((1, 2, 3), [])
    done(await dan.play(encode(LetGo())))
    assert calls(ann) == [(1, True)]


@at_each_store
async def test_bots_answer_when_the_time_of_the_people_is_up(room: Room):
    ann, dan = await four_claiming(room, (None, "greedy", "greedy", None), turn_s=DAY)
    await dan.leave()
    done(await ann.say("discard 9S"))
    await later(room, DAY + 1)
    assert calls(ann) == [(1, True)]


@at_each_store
async def test_blind_claims_and_a_clock_of_days_are_refused(room: Room):
    options = TableOptions(profile="500-rum", house_rules=["H6"], variations=["blind-calls"], turn_s=DAY)
    with pytest.raises(TableError) as error:
        await room.tables.create(options, Guest("ann", "Ann"))
    assert (error.value.code, error.value.key) == ("option.blind_claims_days", "turn_s")
    assert "every turn" in error.value.message


# --- agreement ---------------------------------------------------------------------------------------


@at_each_store
async def test_all_agree_to_a_pause_one_after_another(room: Room):
    first, second = await by_days(room, bank_s=0)
    await first.leave()
    done(await second.ask(messages.Vote, on="pause", yes=True))
    assert second.shared["status"] == "playing", "who is alone does not stop the others' match"
    await all_leave(room, second)
    await later(room, 20 * HOUR)
    first = await back(room, first)
    done(await first.ask(messages.Vote, on="pause", yes=True))
    assert first.shared["status"] == "paused"
    assert (await row_of(room, first)).due is None
    await all_leave(room, first)
    await later(room, 30 * DAY)
    assert len(room.tables) == 0
    second = await back(room, second)
    done(await second.ask(messages.Vote, on="resume", yes=True))
    clock = second.shared["clock"]
    assert (second.shared["status"], clock.turn_ms.ms) == ("playing", DAY * 1000)
    assert (await row_of(room, first)).due == (await state_of(room, first)).asked_at + DAY * 1000


@at_each_store
async def test_all_agree_to_end_the_match(room: Room):
    first, second = await by_days(room)
    await first.leave()
    done(await second.ask(messages.Vote, on="abandon", yes=True))
    assert second.shared["status"] == "playing"
    await first.join()
    done(await first.ask(messages.Vote, on="abandon", yes=True))
    assert (first.shared["status"], (await row_of(room, first)).due) == ("abandoned", None)


@at_each_store
async def test_plays_before_a_reload_are_final(room: Room):
    """Who watched is unknown then, as after a restart; the turn itself goes on where it was."""
    first, second = await by_days(room)
    if "take" in first.may:
        done(await first.play(next(iter(first.own["takes"].values()))))
    else:
        done(await first.say("draw"))
    await all_leave(room, first, second)
    first = await back(room, first)
    assert (first.own["undo"], bool(first.may)) == (0, True)


# --- lists of tables ---------------------------------------------------------------------------------


@at_each_store
async def test_lists_have_the_end_of_the_clock_of_days(room: Room):
    first, second = await by_days(room, bank_s=DAY)
    standing = await room.tables.standing(first.table.id)
    assert (standing.waits_for, standing.due) == (
        {first.guest.id},
        (await state_of(room, first)).asked_at + 2 * DAY * 1000,
    )
    await all_leave(room, first, second)
    assert await room.tables.standing(first.table.id) == standing
    people = await room.at_play(("Cleo", "Dan"), turn_s=60)
    assert (await room.tables.standing(people[0].table.id)).due is None
