"""Players who are away: pauses that nobody can abuse, and what the others may do about a lasting absence."""

from __future__ import annotations

from rum500.server import messages
from rum500.server.live.log.table_options import Guest
from rum500.server.messages.options import TableOptions
from tests.support.live import Person, Room, at_tables
from tests.support.live_deals import clocked, in_turn
from tests.test_live_tables import code, done

DAY = 86_400


async def vote(*people: Person, on: str, yes: bool = True) -> None:
    for person in people:
        done(await person.ask(messages.Vote, on=on, yes=yes))


# --- pauses ----------------------------------------------------------------------------------------


@at_tables
async def test_pause_in_own_turn_needs_absent_opponents(room: Room):
    """Alone, the one at turn would gain all the time in the world; once a bot plays, nobody is wronged."""
    first, second = await clocked(room, leaver_s=40)
    await second.leave()
    await vote(first, on="pause")
    await room.pass_time(39)
    assert first.shared["status"] == "playing"
    assert first.shared["clock"].running
    await room.pass_time(2)
    assert first.shared["status"] == "paused"


@at_tables
async def test_vote_of_a_player_who_left_counts(room: Room):
    first, second = await clocked(room)
    await vote(second, on="pause")
    await second.leave()
    assert first.shared["status"] == "playing"
    await vote(first, on="pause")
    assert first.shared["status"] == "paused"


@at_tables
async def test_pause_while_the_player_to_move_is_away(room: Room):
    """A pause to wait for somebody: clock and leaver's time stand, and who comes back can end it alone."""
    first, second = await clocked(room)
    await room.pass_time(5)
    await first.leave()
    await room.pass_time(20)
    await vote(second, on="pause")
    assert second.shared["status"] == "paused"
    assert second.shared["seats"][first.seat].bot_in_ms is None
    await room.pass_time(3600)
    assert second.shared["status"] == "paused"
    await first.join()
    await vote(first, on="resume")
    await room.pass_time(59)
    assert first.shared["status"] == "paused"
    await room.pass_time(2)
    assert (first.shared["status"], second.shared["status"]) == ("playing", "playing")
    assert first.may
    clock = first.shared["clock"]
    assert (clock.turn_ms.ms, clock.bank_ms.ms) == (0, 55_000)


@at_tables
async def test_pause_ends_when_all_its_voters_resume(room: Room):
    first, second = await clocked(room)
    await vote(first, second, on="pause")
    await vote(second, on="resume")
    await second.leave()
    assert first.shared["status"] == "paused"
    await vote(first, on="resume")
    assert first.shared["status"] == "playing"


@at_tables
async def test_pause_ends_after_a_minute_without_an_answer(room: Room):
    ann, ben = await room.at_play()
    await vote(ann, ben, on="pause")
    await vote(ben, on="resume")
    await vote(ben, on="resume", yes=False)
    await room.pass_time(100)
    assert ann.shared["status"] == "paused"
    await vote(ben, on="resume")
    await room.pass_time(30)
    await ben.leave()
    await room.pass_time(60)
    assert ann.shared["status"] == "paused", "the wish of somebody who has gone counts no longer"
    await ben.join()
    await room.pass_time(59)
    assert ann.shared["status"] == "paused"
    await room.pass_time(1)
    assert ann.shared["status"] == "playing"


@at_tables
async def test_absence_does_not_grow_during_a_pause(room: Room):
    """Who left during a pause is a leaver from its end on; who left before has the rest of the time."""
    first, early, late = await in_turn(room, "Ann", "Ben", "Cleo", leaver_s=60)
    await vote(early, on="pause")
    await early.leave()
    await room.pass_time(40)
    await vote(first, late, on="pause")
    assert first.shared["status"] == "paused"
    await late.leave()
    await room.pass_time(5000)
    await vote(first, on="resume")
    await room.pass_time(60)
    assert first.shared["status"] == "playing"
    plates = first.shared["seats"]
    assert (plates[early.seat].bot_in_ms.ms, plates[late.seat].bot_in_ms.ms) == (20_000, 60_000)


@at_tables
async def test_pause_and_its_end_survive_a_crash(room: Room):
    first, second = await clocked(room, leaver_s=60)
    await vote(first, second, on="pause")
    await vote(first, on="resume")
    await room.crash()
    back = await room.join(first.table.id, second.guest.name)
    assert (back.shared["status"], back.shared["votes"]) == ("paused", {"resume": [first.seat]})
    await room.pass_time(300)
    assert back.shared["status"] == "paused"
    await vote(back, on="resume")
    assert back.shared["status"] == "playing"
    assert back.shared["seats"][first.seat].bot_in_ms.ms == 660_000, "away, as far as the server knows"


@at_tables
async def test_pause_does_not_wait_for_a_player_who_resigned(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cleo"), target=2000)
    await vote(*people, on="pause")
    ann, ben, cleo = people
    done(await cleo.ask(messages.Resign))
    assert ann.shared["status"] == "paused"
    await vote(ann, ben, on="resume")
    assert ann.shared["status"] == "playing"
    await room.deal([ann, ben])
    assert [len(person.own["hand"]) for person in (ann, ben)] == ann.shared["hand_sizes"]


@at_tables
async def test_resigning_in_a_pause_loses_a_match_of_two(room: Room):
    ann, ben = await room.at_play()
    await vote(ann, ben, on="pause")
    done(await ann.ask(messages.Resign))
    assert (ben.shared["status"], ben.shared["result"].reason) == ("over", "forfeit")
    assert code(await ben.ask(messages.Vote, on="resume")) == "table.vote"


@at_tables
async def test_browsers_may_add_their_seeds_in_a_pause(room: Room):
    """They do so once and unasked: a pause that falls between must not cost them their part in the order."""
    ann = await room.table("Ann")
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit)
    await ann.ask(messages.Start)
    await vote(ann, ben, on="pause")
    assert (ann.shared["status"], ann.shared["waiting_for"]) == ("paused", "shuffle")
    for person in (ann, ben):
        done(await person.ask(messages.Seed, shuffle=1, value="ab" * 16))
    await room.pass_time(10)
    assert ann.shared["waiting_for"] == "shuffle"
    await vote(ann, ben, on="resume")
    assert ann.shared["waiting_for"] == "draw"
    await vote(ann, ben, on="abandon")
    late = await ann.ask(messages.Seed, shuffle=1, value="cd" * 16)
    assert code(late) == "table.over"


@at_tables
async def test_a_vote_is_of_the_person_and_not_of_the_seat(room: Room):
    ann = await room.table("Ann", players=3, seats_drawn=True)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit, seat=1)
    await vote(ben, on="abandon")
    await ben.ask(messages.Stand)
    cleo = await room.join(ann.table.id, "Cleo")
    await cleo.ask(messages.Sit, seat=1)
    assert ann.shared["votes"] == {}
    await vote(ann, on="abandon")
    assert ann.shared["status"] == "open"
    await vote(ann, on="abandon", yes=False)
    await vote(cleo, on="abandon")
    await ann.ask(messages.Start)
    assert ann.shared["votes"] == {}, "seats are drawn, and another match begins"


# --- players who stay away -------------------------------------------------------------------------


@at_tables
async def test_player_away_for_days_can_be_replaced_until_the_return(room: Room):
    first, second = await in_turn(room, leaver_s=0)
    await first.leave()
    assert second.shared["seats"][first.seat].replace_in_ms.ms == 120_000
    assert code(await second.ask(messages.Vote, on="replace")) == "table.vote"
    await second.leave()
    await room.pass_time(3 * DAY - 10)
    assert len(room.tables) == 0
    second = await room.join(first.table.id, second.guest.name)
    assert second.shared["seats"][first.seat].replace_in_ms.ms == 10_000
    assert code(await second.ask(messages.Vote, on="replace")) == "table.vote"
    await room.pass_time(10)
    await vote(second, on="replace")
    assert "replaced" in [event.kind for event in second.events]
    assert second.may
    assert second.shared["seats"][first.seat].bot_in_ms.ms == 0
    first = await room.join(second.table.id, first.guest.name)
    assert second.shared["seats"][first.seat].bot_in_ms is None
    assert second.table.log.state.absences.replaced == set()


@at_tables
async def test_a_replacement_stays_after_a_restart_and_the_match_may_then_be_abandoned(room: Room):
    first, second = await in_turn(room, leaver_s=0)
    await first.leave()
    await vote(second, on="abandon")
    await room.pass_time(3 * DAY)
    assert second.shared["status"] == "playing"
    await vote(second, on="replace")
    assert second.shared["status"] == "abandoned"
    await room.crash()
    back = await room.join(first.table.id, second.guest.name)
    assert back.table.log.state.absences.replaced == {first.seat}


@at_tables
async def test_replacement_plays_without_viewers(room: Room):
    """Who plays once a day finds the bot's turn played, as that of any bot."""
    first, second = await in_turn(room, leaver_s=0, bot_pause_ms=700, target=2000)
    await first.leave()
    await room.pass_time(3 * DAY)
    await vote(second, on="replace")
    await second.in_turn()
    await second.turn()
    await second.leave()
    await room.pass_time(30)
    state = second.table.log.state
    assert state.waiting_for == "next" or state.acting_player == state.player_of(second.guest.id)


@at_tables
async def test_replacement_needs_the_vote_of_all_present(room: Room):
    first, one, two = await in_turn(room, "Ann", "Ben", "Cleo", leaver_s=0)
    await first.leave()
    await room.pass_time(3 * DAY)
    await vote(one, on="replace")
    assert one.shared["votes"] == {"replace": [one.seat]}
    assert not one.table.log.state.absences.replaced
    await first.join()
    done(await first.play(first.own["plays"]["draw"]))
    assert one.shared["votes"] == {}, "whoever plays is not replaced"
    await first.leave()
    assert code(await two.ask(messages.Vote, on="replace")) == "table.vote"


@at_tables
async def test_no_replacement_with_a_clock_or_a_bot_for_leavers(room: Room):
    first, second = await clocked(room, leaver_s=0)
    await first.leave()
    assert second.shared["seats"][first.seat].replace_in_ms is None
    assert code(await second.ask(messages.Vote, on="replace")) == "table.vote"
    first, second = await in_turn(room, leaver_s=60)
    await first.leave()
    plate = second.shared["seats"][first.seat]
    assert (plate.bot_in_ms.ms, plate.replace_in_ms) == (60_000, None)


@at_tables
async def test_an_agreed_pause_does_not_count_as_absence(room: Room):
    first, second = await in_turn(room, leaver_s=0)
    await vote(first, second, on="pause")
    await first.leave()
    await room.pass_time(10 * DAY)
    await vote(second, on="resume")
    await room.pass_time(60)
    assert second.shared["status"] == "playing"
    assert second.shared["seats"][first.seat].replace_in_ms.ms == 120_000
    assert code(await second.ask(messages.Vote, on="replace")) == "table.vote"


@at_tables
async def test_without_a_clock_no_bot_plays_for_a_guest_who_is_gone_ten_minutes(room: Room):
    first, second = await in_turn(room)
    await first.leave()
    number, hand = second.number, first.own["hand"]
    await room.pass_time(600)
    assert (second.shared["actor"], second.number) == (first.seat, number)
    await first.join()
    assert (first.own["bot_turns"], first.own["hand"]) == ([], hand)
    await first.turn()


# --- bots alone --------------------------------------------------------------------------------------


@at_tables
async def test_bots_alone_sleep_without_a_viewer(room: Room):
    """Nobody is made to wait, and a table that nobody sees takes no time of the server's."""
    options = TableOptions(profile="500-rum", players=2, bot_pause_ms=0, target=5000)
    made = await room.tables.create(options, Guest("ann", "Ann"), bots=("greedy", "greedy"), start=True)
    await room.pass_time(30)
    begun = await room.store.entries(made)
    assert begun[-1].kind == "cut", "nothing has been played"
    await room.pass_time(200)
    assert len(room.tables) == 0, "the table has left the memory"
    watcher = await room.join(made, "Ben")
    await room.pass_time(60)
    seen = watcher.table.log.state.number
    assert seen > len(begun) + 20
    await watcher.leave()
    await room.pass_time(1)
    number = watcher.table.log.state.number
    await room.pass_time(300)
    assert len(await room.store.entries(made)) == number
    assert len(room.tables) == 0
