"""A call of "Rummy!" at a live table: who is asked, for how long, and who wins."""

from __future__ import annotations

import pytest

from rum500.rules.action_codes import encode
from rum500.rules.actions import Call, LetGo
from rum500.server import messages
from rum500.server.live.finished.deal_replay import replay
from rum500.server.live.log.table_state import TableState
from rum500.server.live.turn import scheduler
from tests.support.live import Later, Room, at_each_store, rig
from tests.support.live_deals import claim_deal, four_claiming, look
from tests.test_live_tables import code, done, play_match


@at_each_store
async def test_all_claimants_are_asked_and_the_first_call_wins(room: Room):
    ann, ben, cleo, dan = await four_claiming(room)
    done(await ann.say("discard 9S"))
    window = ann.shared["claim"]
    assert (window.seats, window.left_ms.ms, window.total_ms, window.counts) == ((1, 2, 3), 8000, 8000, (1,))
    assert (ann.shared["waiting_for"], ann.shared["actor"], ann.may) == ("claim", None, [])
    for person in (ben, cleo, dan):
        assert sorted(person.may) == ["call", "let_go"]
        assert list(person.own["calls"]) == ["1"]
    asked = dan.shared["asked"]
    done(await ben.play(encode(LetGo())))
    assert dan.shared["claim"].seats == (2, 3)
    assert (dan.shared["asked"], ben.may) == (asked, [])
    assert code(await ben.play(encode(Call(1)))) == "table.claimed"
    answer = done(await dan.play(dan.own["calls"]["1"]))
    assert [(event.kind, event.seat) for event in answer.events] == [
        ("let_go", 1),
        ("let_go", 2),
        ("call", 3),
    ]
    assert (dan.shared["must_use"], dan.shared["turn"], dan.shared["claim"]) == ("9S", 3, None)
    assert code(await cleo.ask(messages.Play, asked=asked, play=str(encode(Call(1))))) == "table.stale"
    done(await dan.say("lay 9S on 1"))
    assert dan.own["undo"] == 1


@at_each_store
async def test_discarder_may_not_call(room: Room):
    ann, ben, *_ = await four_claiming(room)
    done(await ann.say("discard 9S"))
    assert code(await ann.play(encode(Call(1)))) == "table.claimed"
    refused = await ben.say("draw")
    assert refused.reason.code == "claim.open"


@at_each_store
async def test_the_window_closes_when_all_have_let_it_go_or_time_is_up(room: Room):
    ann, ben, cleo, dan = await four_claiming(room)
    done(await ann.say("discard 9S"))
    await room.pass_time(7.9)
    assert ben.shared["claim"] is not None
    await room.pass_time(0.2)
    assert ben.shared["claim"] is None
    assert ben.shared["actor"] == 1
    assert "draw" in ben.may
    rig(ann.table, claim_deal(turn=ann.seat))
    await look(ann, ben, cleo, dan)
    done(await ann.say("discard 9S"))
    for person in (dan, cleo, ben):
        done(await person.play(encode(LetGo())))
    assert "draw" in ben.may


@at_each_store
async def test_no_claim_window_without_a_claimant(room: Room):
    ann, ben, *_ = await four_claiming(room)
    done(await ann.say("discard KC"))
    assert ann.shared["claim"] is None
    assert "draw" in ben.may


@at_each_store
async def test_bots_let_people_call_first(room: Room):
    ann, ben = await four_claiming(room, bots=(None, "greedy", None, "greedy"))
    done(await ann.say("discard 9S"))
    assert ann.shared["claim"].seats == (1, 2, 3)
    await room.pass_time(3.9)
    assert ann.shared["claim"].seats == (1, 2, 3)
    assert ben.seat == 2
    done(await ben.play(ben.own["calls"]["1"]))
    assert ben.shared["turn"] == 2
    rig(ann.table, claim_deal(turn=ann.seat))
    await look(ann, ben)
    done(await ann.say("discard 9S"))
    await room.pass_time(4.1)
    window = ann.shared["claim"]
    calls = [event for event in ann.events if event.kind == "call" and event.by_bot]
    assert calls or window.seats == (2,)


@at_each_store
async def test_bots_alone_do_not_keep_people_waiting(room: Room):
    (ann,) = await four_claiming(room, bots=(None, "greedy", "greedy", "greedy"))
    done(await ann.say("discard 9S"))
    assert ann.shared["claim"] is None


@at_each_store
async def test_claims_by_a_stand_in_bot_are_logged(room: Room):
    for card, made in (("9S", {2, 3, 4}), ("KC", {2})):  # the bot at seat 2 calls, or lets it go
        ann, ben, cleo, dan = await four_claiming(room, variations=BLIND, leaver_s=30)
        await cleo.leave()
        await room.pass_time(31)
        done(await ann.say(f"discard {card}"))
        for person in (ben, dan):
            done(await person.play(encode(LetGo())))
        deal = ann.table.log.state.deals[-1]
        await room.pass_time(5)
        assert deal.stand_ins == made


BLIND = ("blind-calls",)


@at_each_store
async def test_blind_claims_let_all_call_and_a_wrong_call_costs_nothing(room: Room):
    """H6, R-CLAIM-1, R-CLAIM-2: both windows look alike, and the call that is right wins."""
    windows = []
    for card in ("KC", "9S"):
        ann, ben, cleo, dan = await four_claiming(room, variations=BLIND)
        done(await ann.say(f"discard {card}"))
        window = ann.shared["claim"]
        windows.append(
            (window.seats, window.left_ms.ms, window.counts, ann.shared["phase"], ann.shared["turn"])
        )
        assert [sorted(person.may) for person in (ben, cleo, dan)] == [["call", "let_go"]] * 3
        assert list(ben.own["calls"]) == ["1", "2"]
        assert ann.may == []
        asked = ann.shared["asked"]
        wrong = await cleo.play(cleo.own["calls"]["2"])
        assert (code(wrong), wrong.reason.rule) == ("call.useless", "R-CLAIM-1")
        assert (ann.shared["asked"], ann.shared["claim"].seats) == (asked, (1, 2, 3))
        assert sorted(cleo.may) == ["call", "let_go"]
        answer = await cleo.play(cleo.own["calls"]["1"])
        assert code(await ben.say("draw")) == ("claim.open" if card == "KC" else "table.turn")
        if card == "KC":
            assert code(answer) == "call.useless"
            for person in (ben, dan, cleo):
                assert "draw" not in ben.may
                done(await person.play(encode(LetGo())))
            assert (ann.shared["claim"], ann.shared["turn"]) == (None, 1)
            assert "draw" in ben.may
        else:
            assert [(event.kind, event.seat) for event in done(answer).events] == [("call", 2)]
            assert (ann.shared["turn"], ann.shared["must_use"]) == (2, "9S")
        assert not [event for event in dan.events if event.kind == "let_go"]
    assert windows[0] == windows[1]


@at_each_store
async def test_bots_tell_nothing_by_when_they_let_it_go(room: Room):
    """H6: with and without something to call, bots call after half the time or stay silent to the end."""
    for card in ("KC", "9S"):
        ann, ben = await four_claiming(room, bots=(None, "greedy", None, "greedy"), variations=BLIND)
        done(await ann.say(f"discard {card}"))
        await room.pass_time(3.9)
        assert ann.shared["claim"].seats == (1, 2, 3)
        await room.pass_time(0.2)
        called = any(event.kind == "call" for event in ann.events)
        assert called == (card == "9S")
        if not called:
            assert ann.shared["claim"].seats == (1, 2, 3)
            done(await ben.play(encode(LetGo())))
            assert ann.shared["claim"].seats == (2, 3, 0)  # the bot at seat 1 has had its turn


@pytest.mark.parametrize("variations", [(), BLIND])
@pytest.mark.parametrize("bots", [(None, "greedy", None, "greedy"), (None, "greedy", "greedy", "greedy")])
@at_each_store
async def test_a_bot_may_call_however_long_it_thinks(room: Room, variations, bots):
    """H6: with people at the table or none, after the usual pause and after the window too."""
    ann, *_ = await four_claiming(room, bots=bots, variations=variations)
    thoughts = ann.table._bots._executor = Later()
    done(await ann.say("discard 9S"))
    await room.pass_time(9)
    assert ann.shared["claim"] is not None
    assert {ann.shared["seats"][seat].kind for seat in ann.shared["claim"].seats} == {"bot"}
    thoughts.deliver()
    await room.settle()
    assert [event.by_bot for event in ann.events if event.kind == "call"] == [True]
    assert ann.shared["must_use"] == "9S"


@at_each_store
async def test_bots_alone_let_it_go_after_the_same_time_whatever_they_can_call(room: Room, monkeypatch):
    """H6: the time is that of the slowest level, and not that of its thoughts."""
    monkeypatch.setattr(scheduler, "seconds_of", {"greedy": 0.0, "expert": 1.0}.__getitem__)
    for level, least in (("greedy", 0.4), ("expert", 1.0)):
        ann, *_ = await four_claiming(
            room, bots=(None, level, "greedy", "greedy"), variations=BLIND, bot_pause_ms=700
        )
        done(await ann.say("discard KC"))
        await room.pass_time(least - 0.05)
        assert ann.shared["claim"] is not None
        await room.pass_time(0.1)
        assert ann.shared["claim"] is None


@pytest.mark.parametrize("variations", [(), BLIND], ids=["seen", "blind"])
@at_each_store
async def test_claims_stop_the_clock_and_are_the_same_when_the_log_is_read(room: Room, variations):
    """H6: whole matches; no time runs in a window, and calls and what was let go are in the log."""
    names = ("Ann", "Ben") if variations else ("Ann", "Ben", "Cleo")
    options = {"house_rules": ["H6"], "variations": [*variations], "claim_s": 2, "turn_s": 60}
    people = await room.at_play(names, target=150 if variations else 400, **options)
    shared, windows = people[0].shared, 0
    for _ in range(3000):
        waiting = shared["waiting_for"]
        if waiting == "over":
            break
        if waiting == "claim":
            windows += 1
            assert shared["clock"] is None
            one = next(person for person in people if person.may)
            if windows % 2 and not variations:
                await one.play(next(iter(one.own["calls"].values())))
            else:
                await room.pass_time(2)
        else:
            assert waiting != "play" or shared["phase"] != "draw" or shared["clock"].turn_ms.ms == 60_000
            await play_match(room, people, most=1)
    assert waiting == "over"
    assert windows > (20 if variations else 1)
    stored = await room.store.entries(people[0].table.id)
    again, live = TableState.fold(people[0].table.id, stored).match, people[0].table.log.state.match
    assert again is not None and live is not None
    assert again.sheet == live.sheet
    if variations:
        shown = replay(people[0].table.id, stored, 1)
        assert shown is not None
        assert not [frame for frame in shown.frames if frame.event and frame.event.kind == "let_go"]
