"""Clocks of live tables, and the bots that play for people whose time is used up or who are away."""

from __future__ import annotations

from rum500.record import Record
from rum500.server import messages
from tests.support.live import Room, at_tables
from tests.support.live_deals import clocked, in_turn
from tests.test_live_tables import done, play_match


@at_tables
async def test_the_clock_runs_for_the_turn_and_then_from_the_bank(room: Room):
    first, second = await clocked(room)
    clock = second.shared["clock"]
    assert (clock.seat, clock.turn_ms.ms, clock.bank_ms.ms, clock.running) == (
        first.seat,
        20_000,
        60_000,
        True,
    )
    await room.pass_time(8)
    await first.move()
    clock = second.shared["clock"]
    assert (clock.turn_ms.ms, clock.bank_ms.ms) == (12_000, 60_000)
    await room.pass_time(15)
    await first.turn()
    clock = second.shared["clock"]
    assert (clock.seat, clock.turn_ms.ms, clock.bank_ms.ms) == (second.seat, 20_000, 60_000)
    player = first.table.log.state.player_of(first.guest.id)
    assert first.table.log.state.clock.bank_ms[player] == 57_000


@at_tables
async def test_snapshot_has_every_players_bank(room: Room):
    """Also of who does not play just now, and whoever comes later, or comes back."""
    first, second = await clocked(room)
    assert second.shared["banks"] == [60_000, 60_000]
    await room.pass_time(23)
    await first.turn()
    left = [60_000, 60_000]
    left[first.seat] = 57_000
    watcher = await room.join(first.table.id, "Cleo")
    for person in (first, second, watcher):
        assert person.shared["banks"] == left
    await room.crash()
    back = await room.join(second.table.id, second.guest.name)
    assert back.shared["banks"] == left


@at_tables
async def test_banks_go_with_their_players_where_one_resigns(room: Room):
    actor, *others = await clocked(room, "Ann", "Ben", "Cleo")
    await room.pass_time(23)
    await actor.turn()
    leaver = next(person for person in others if person.seat == (actor.seat + 1) % 3)
    done(await leaver.ask(messages.Resign))
    left = [60_000, 60_000]
    left[actor.seat] = 57_000
    assert (len(actor.shared["seats"]), actor.shared["banks"]) == (2, left)


@at_tables
async def test_when_all_time_is_used_a_bot_plays_the_turn(room: Room):
    first, second = await clocked(room)
    await room.pass_time(79.9)
    assert first.may
    await room.pass_time(0.2)
    assert second.may
    assert [event.by_bot for event in second.events if event.kind in ("draw", "take")] == [True]
    await second.turn()
    assert first.shared["clock"].bank_ms.ms == 0
    assert first.shared["clock"].turn_ms.ms == 20_000
    await room.pass_time(19.9)
    assert first.may
    await room.pass_time(0.2)
    assert not first.may


@at_tables
async def test_the_record_tells_which_plays_the_clocks_bot_made(room: Room):
    first, second = await clocked(room)
    await first.move()
    deal = first.table.log.state.deals[-1]
    drawn = len(deal.plays)
    await room.pass_time(80.1)
    turn = list(range(drawn + 1, len(deal.plays) + 1))
    assert turn and second.may
    while not deal.over:
        await next(person for person in (first, second) if person.may).move()
    text = await room.tables.record(first.table.id, 1)
    assert text is not None
    record = Record.from_text(text)
    assert (record.verify(), sorted(record.deals[0].stand_ins)) == ([], turn)


@at_tables
async def test_plays_at_a_bots_own_seat_are_no_stand_ins(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"), target=100)
    await play_match(room, [ann])
    text = await room.tables.record(ann.table.id)
    assert text is not None
    assert all(deal.stand_ins == frozenset() for deal in Record.from_text(text).deals)


@at_tables
async def test_clocks_stand_while_the_server_is_down_and_go_on_in_mid_turn(room: Room):
    first, _ = await clocked(room)
    await room.pass_time(5)
    await first.move()
    await room.pass_time(3)
    asked, hand = first.shared["asked"], sorted(first.own["hand"])
    await room.crash()
    back = await room.join(first.table.id, first.guest.name)
    clock = back.shared["clock"]
    assert (clock.turn_ms.ms, clock.bank_ms.ms) == (15_000, 60_000)
    assert (back.shared["asked"], sorted(back.own["hand"])) == (asked, hand)
    assert back.may
    await room.pass_time(2)
    await room.close()
    await room.open()
    again = await room.join(first.table.id, first.guest.name)
    assert again.shared["clock"].turn_ms.ms == 13_000
    done(await again.move())


@at_tables
async def test_clock_stops_without_viewers(room: Room):
    first, second = await clocked(room, leaver_s=0)
    await room.pass_time(5)
    await first.leave()
    await room.pass_time(5)
    await second.leave()
    await room.pass_time(500)
    back = await room.join(first.table.id, second.guest.name)
    assert back.shared["clock"].turn_ms.ms == 10_000
    assert back.shared["clock"].running


# --- leavers ---------------------------------------------------------------------------------------


@at_tables
async def test_bot_plays_for_an_absent_player_where_the_table_was_made_so(room: Room):
    first, second = await in_turn(room, leaver_s=60)
    await first.leave()
    plate = second.shared["seats"][first.seat]
    assert (plate.here, plate.bot_in_ms.ms) == (False, 60_000)
    await room.pass_time(59)
    assert not second.may
    await room.pass_time(2)
    assert second.may
    await first.join()
    assert (first.seat, first.shared["seats"][first.seat].here) == (second.shared["actor"] ^ 1, True)
    await second.turn()
    assert first.may
    await room.pass_time(300)
    assert first.may


@at_tables
async def test_no_bot_plays_for_an_absent_player_when_all_are_away(room: Room):
    """Correspondence: without a clock a table lies for weeks, and each finds their own turn."""
    first, second = await in_turn(room)
    number = first.number
    await second.leave()
    await first.leave()
    await room.pass_time(3 * 7 * 86_400)
    assert len(room.tables) == 0
    waiting = await room.join(first.table.id, second.guest.name)
    assert waiting.shared["seats"][first.seat].bot_in_ms is None
    await room.pass_time(3600)
    back = await room.join(first.table.id, first.guest.name)
    assert back.may
    assert back.number == number
    done(await back.move())


@at_tables
async def test_player_who_is_away_after_a_restart_counts_as_away(room: Room):
    first, second = await in_turn(room, leaver_s=60)
    await room.crash()
    room.clock.time -= 400  # the server was down for less than two minutes
    table_again = await room.tables.get(first.table.id)
    assert table_again is not None
    back = await room.join(first.table.id, second.guest.name)
    assert back.shared["seats"][first.seat].bot_in_ms is not None
    await room.pass_time(601)
    assert not back.may
    await room.pass_time(60)
    assert back.may


@at_tables
async def test_the_bots_finish_their_turns_when_the_only_person_leaves(room: Room):
    ann = await room.table(start=True, players=4, bot_pause_ms=700)
    await room.deal([ann])
    await ann.in_turn()
    await ann.turn()
    await ann.leave()
    await room.pass_time(30)
    state = ann.table.log.state
    assert state.waiting_for in ("play", "next")
    assert state.waiting_for == "next" or state.acting_player == state.player_of("ann")
