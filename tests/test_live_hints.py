"""Hints at a live table: for one person with bots, recorded in the log, from what the seat may know."""

from __future__ import annotations

import asyncio
import pickle
import random
from itertools import pairwise

import msgspec
import pytest

from rum500 import Record, Rng, State, bots, deal, ruleset
from rum500.cards import card_text
from rum500.coach import Adviser
from rum500.review.rules_of_thumb import RuleOfThumb, rules_of_thumb
from rum500.rules.action_codes import encode
from rum500.rules.notation import parse_play
from rum500.server import messages
from rum500.server.live.finished.deal_replay import record
from rum500.server.live.log import entries
from rum500.server.messages.field_types import HintDepth
from rum500.server.thinking import hint_work
from rum500.server.thinking.advice_work import encoded_answer
from rum500.server.thinking.executor import ThreadExecutor
from rum500.server.thinking.hint_work import hint, hint_on
from rum500.view import View
from tests.support import live_deals
from tests.support.depth import depth
from tests.support.indistinguishable_deals import permuted
from tests.support.live import Person, Room, at_tables
from tests.support.live_deals import in_turn, undo_deal
from tests.support.table import table
from tests.test_live_tables import code, done, play_match


async def alone(room: Room, hints: str = "numbers", **options: object) -> Person:
    """A person alone with a bot at `undo_deal`, where hints of this depth are allowed."""
    return await live_deals.alone(room, hints=hints, **options)


async def ask(person: Person, depth: HintDepth) -> messages.HintInfo:
    """The hint of this depth, after it is noted."""
    done(await person.ask(messages.Hint, asked=person.shared["asked"], depth=depth))
    answer = await person.ask(messages.Ask, about="hint", depth=depth)
    assert isinstance(answer, messages.Answer)
    assert answer.hint is not None
    assert answer.hint.depth == depth
    return answer.hint


@at_tables
async def test_the_first_depth_lists_the_plays_without_judgement(room: Room):
    person = await alone(room)
    found = await ask(person, "possible")
    assert [play.text for play in found.plays] == ["draw", "take QS"]
    assert [len(play.cards) for play in found.plays] == [0, 3]
    assert (found.choice, found.reasons, found.candidates, found.ways) == (None, [], [], [])


def test_a_lay_off_that_fits_two_melds_names_its_own() -> None:
    melds = [(1, "7S 7H 7D"), (0, "4C 5C 6C"), (1, "KS KH KD")]
    state = table("500-rum", ["7C KC 2D", "2S 3S"], pile="9H", melds=melds, phase="play")
    found = {play.text: play.on for play in hint(state.view(0), "possible").plays if play.kind == "lay"}
    assert found == {"lay 7C on 1": ["7S", "7H", "7D"], "lay 7C on 2": ["4C", "5C", "6C"], "lay KC on 3": []}


@at_tables
async def test_two_best_plays_are_shown_where_it_depends_on_how_one_plays_on(room: Room):
    person = await alone(room)
    found = await ask(person, "numbers")
    assert (found.choice, found.evidence, found.reasons, found.candidates) == (None, "none", [], [])
    for way, best, second in zip(found.ways, ("draw", "take QS"), ("take QS", "draw"), strict=True):
        assert way.second is not None
        assert (way.best.text, way.second.text) == (best, second)
        assert way.gain > way.half > 0
        assert len(way.chances) == 2
    assert found.ways[0].best == found.ways[1].second
    assert (found.ways[0].way, found.ways[1].way, found.worlds) == ("hold", "lay", 400)
    shorter = await ask(person, "reason")
    assert [(way.best.text, way.second, way.gain) for way in shorter.ways] == [
        ("draw", None, 0),
        ("take QS", None, 0),
    ]


def test_one_best_play_has_its_reasons_and_is_compared_with_the_others():
    state = table(
        "500-rum", ["6S 7S 8S QD", "3D 4D 9C JH 5C"], pile="QS QH AC", stock="2H 3H 4H", turn=0, phase="play"
    )
    found = hint(state.view(0), "numbers")
    assert found.choice is not None
    assert (found.choice.text, found.evidence) == ("meld 6S 7S 8S", "clear")
    assert [why.code for why in found.reasons] == ["thumb.out"]
    own, *others = found.candidates
    assert (own.play, own.lead, own.half, own.as_good) == (found.choice, 0.0, 0.0, True)
    assert all(0 > one.lead >= next_.lead for one, next_ in pairwise(others))
    assert not any(one.as_good for one in others)
    shorter = hint(state.view(0), "reason")
    assert (shorter.choice, shorter.evidence, shorter.reasons) == (found.choice, "clear", found.reasons)
    assert (shorter.candidates, shorter.worlds) == ([], 0)


def test_both_depths_and_repeated_questions_are_one_computation(monkeypatch: pytest.MonkeyPatch):
    advised: list[int | None] = []
    advise = Adviser.advise

    def counted(adviser: Adviser, view: View):
        advised.append(view.seat)
        return advise(adviser, view)

    monkeypatch.setattr(Adviser, "advise", counted)

    async def ask_all() -> None:
        executor = ThreadExecutor(count=1)
        answers: asyncio.Queue[messages.Answer | BaseException] = asyncio.Queue()
        for wanted in ("reason", "numbers", "reason"):
            executor.advise(hint_on(undo_deal().view(0), wanted), answers.put_nowait)
        found = [await answers.get() for _ in range(3)]
        executor.advise(hint_on(undo_deal().view(0), "numbers"), answers.put_nowait)
        assert all(answer == found[0] for answer in [*found, await answers.get()])
        await executor.close()

    asyncio.run(ask_all())
    assert advised == [0]


@pytest.mark.compiled
def test_a_hint_is_the_record_of_the_coach():
    """What it shows is what the coach says: no advice without knowing the player where it depends on that."""
    shown, plans = set(), 0
    for state in (state for seed in range(depth(1, 20)) for state in decisions("500-rum", 2, seed)[1::3]):
        view = state.view(state.actor)
        found, record = hint(view, "numbers"), Adviser().advise(view)
        assert record is not None
        assert (None if found.choice is None else int(found.choice.code)) == record.best
        assert found.evidence == record.evidence
        assert [int(way.best.code) for way in found.ways] == [way.best for way in record.ways]
        said = [why.code for why in found.reasons] + ([] if found.plan is None else [found.plan.name])
        assert (said == [], found.candidates == []) == (record.depends, record.depends)
        assert found.plan is None or "thumb.weighed" not in said, "a plan explains the play"
        shown.add((record.depends, found.evidence))
        plans += found.plan is not None
    assert {(True, "none"), (False, "clear")} <= shown and plans


@pytest.mark.compiled
def test_no_small_things_are_named_beside_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_work, "rules_of_thumb", lambda *_: [RuleOfThumb("thumb.weighed")])
    states = decisions("500-rum", 2, 0)[1 :: depth(6, 3)]
    found = [one for state in states if (one := hint(state.view(state.actor), "reason")).choice]
    assert any(one.plan for one in found)
    assert all((one.reasons == []) == (one.plan is not None) for one in found)


@at_tables
async def test_hints_are_noted_in_the_log_seen_by_all_and_kept_by_a_restart(room: Room):
    person = await alone(room)
    watcher = await room.join(person.table.id, "Wim")
    await ask(person, "possible")
    await ask(person, "numbers")
    await ask(person, "possible")
    seat = person.seat
    assert seat is not None
    found = [(event.seat, event.depth) for event in watcher.events if event.kind == "hinted"]
    assert found == [(seat, "possible"), (seat, "numbers")]
    assert watcher.shared["hints"][seat] == 1
    player = person.table.log.state.player_of("ann")
    stored = await room.store.entries(person.table.id)
    noted = [entries.from_stored(entry) for entry in stored if entry.kind == "hinted"]
    assert noted == [entries.Hinted(player, "possible"), entries.Hinted(player, "numbers")]
    assert sum(person.table.log.state.deals[-1].hints.values()) == 1


@at_tables
async def test_restart_keeps_counted_hints_and_repeats_the_same_hint(room: Room):
    person = await room.table(start=True, bots=(None, "greedy"), hints="reason")
    await room.deal([person])
    first = await ask(person, "reason")
    await room.crash()
    again = await room.join(person.table.id, "Ann")
    assert again.shared["hints"][again.seat] == 1
    answer = await again.ask(messages.Ask, about="hint", depth="reason")
    assert answer.hint == first
    assert code(await again.ask(messages.Ask, about="hint", depth="numbers")) == "hint.not_noted"


@at_tables
async def test_hint_is_valid_for_one_decision(room: Room):
    person = await alone(room)
    await ask(person, "reason")
    done(await person.say("take QS"))
    assert code(await person.ask(messages.Ask, about="hint", depth="possible")) == "hint.not_noted"
    old = person.shared["asked"] - 1
    assert code(await person.ask(messages.Hint, asked=old, depth="reason")) == "table.stale"
    asked = person.shared["asked"]
    assert code(await person.ask(messages.Hint, asked=asked, depth="possible")) == "hint.only"
    done(await person.say("meld QS QH QD"))
    assert "discard" in {play.kind for play in (await ask(person, "possible")).plays}
    assert person.shared["hints"][person.seat] == 2


@at_tables
async def test_the_host_chooses_for_how_many_decisions_of_a_deal(room: Room):
    person = await alone(room, hints_a_deal=1)
    assert person.table.log.state.options.hints_a_deal == 1
    await ask(person, "possible")
    await ask(person, "numbers")
    done(await person.say("take QS"))
    done(await person.say("meld QS QH QD"))
    asked = person.shared["asked"]
    assert code(await person.ask(messages.Hint, asked=asked, depth="possible")) == "hint.used_up"


@pytest.mark.parametrize(
    ("hints", "depth", "refused"),
    [
        ("none", "possible", "hint.off"),
        ("possible", "reason", "hint.deeper"),
        ("reason", "numbers", "hint.deeper"),
    ],
)
@at_tables
async def test_the_table_says_how_deep_hints_may_go(room: Room, hints: str, depth: str, refused: str):
    person = await alone(room, hints)
    asked = person.shared["asked"]
    assert code(await person.ask(messages.Hint, asked=asked, depth=depth)) == refused
    assert not [entry for entry in await room.store.entries(person.table.id) if entry.kind == "hinted"]


@at_tables
async def test_no_hints_between_two_people(room: Room):
    actor, _ = await in_turn(room, hints="numbers")
    for depth_ in ("possible", "reason", "numbers"):
        answer = await actor.ask(messages.Hint, asked=actor.shared["asked"], depth=depth_)
        assert code(answer) == "hint.people"
    assert code(await actor.ask(messages.Ask, about="hint", depth="possible")) == "hint.not_noted"


@at_tables
async def test_no_hints_for_spectators_and_waiting_players(room: Room):
    person = await alone(room)
    watcher = await room.join(person.table.id, "Wim")
    asked = person.shared["asked"]
    assert code(await watcher.ask(messages.Hint, asked=asked, depth="possible")) == "table.not_seated"
    await ask(person, "possible")
    assert code(await watcher.ask(messages.Ask, about="hint")) == "table.not_seated"


@at_tables
async def test_no_hints_at_a_table_with_external_bots(room: Room):
    host = await room.table(players=3, bots=(None, "greedy"), hints="numbers")
    token = await host.table.make_bot_token("ann", 2, "Robo")
    guest = host.table.external_bot(f"Bearer {token}")
    assert guest is not None
    bot = Person(room, host.table, guest)
    await bot.join()
    done(await host.ask(messages.Start))
    await room.deal([host, bot])
    for one in (host, bot):
        answer = await one.ask(messages.Hint, asked=one.shared["asked"], depth="possible")
        assert code(answer) in {"hint.people", "table.robot", "table.turn"}
    assert code(await bot.ask(messages.Hint, asked=bot.shared["asked"], depth="reason")) == "table.robot"


@at_tables
async def test_blind_claims_have_no_hints(room: Room):
    person = await room.table(
        start=True, players=4, bots=(None, *["greedy"] * 3), hints="numbers", house_rules=["H6"],
        variations=["blind-calls"],
    )  # fmt: skip
    await room.deal([person])
    while person.shared["waiting_for"] != "claim" or "let_go" not in person.may:
        await person.move()
    assert person.shared["waiting_for"] == "claim"
    asked = person.shared["asked"]
    assert code(await person.ask(messages.Hint, asked=asked, depth="possible")) == "hint.blind"


@at_tables
async def test_the_record_of_a_deal_with_hints_says_so_and_verifies(room: Room):
    person = await room.table(start=True, bots=(None, "greedy"), hints="possible", deals=1, target=5000)
    await room.deal([person])
    await ask(person, "possible")
    await play_match(room, [person])
    text = record(person.table.id, await room.store.entries(person.table.id), 1)
    assert text is not None
    read = Record.from_text(text)
    assert read.verify() == []
    counts = ["0", "0"]
    counts[person.table.log.state.seating.index(0)] = "1"
    assert ("Hints", " ".join(counts)) in read.deals[0].tags
    assert (await room.tables.deals(person.table.id)).hints == (1, 0)


def decisions(profile: str, players: int, seed: int) -> list[State]:
    """The states of a deal of `club` before each decision with a choice."""
    rules, rng = ruleset(profile), Rng(seed)
    state = deal(rules, players, seed=seed)
    found = []
    while not state.is_over:
        view = state.view(state.actor)
        if len(view.legal) > 1:
            found.append(state.copy())
        state.apply_int(bots.get("club").choose_int(view, rng))
    return found


@pytest.mark.sample(1)
@pytest.mark.compiled
@pytest.mark.parametrize(("profile", "players"), [("500-rum", 2), ("persian-rummy", 4), ("rummy-500", 3)])
def test_hidden_cards_change_no_hint(profile: str, players: int):
    chance = random.Random(1)
    states = [state for state in decisions(profile, players, 5) if len(state.stock) > 2]
    for state in chance.sample(states, min(len(states), depth(4, 30))):
        seat = state.actor
        twin = permuted(state, seat, [], chance)
        assert twin.hands != state.hands or twin.stock != state.stock
        for deep in ("possible", "reason", "numbers"):
            assert hint(twin.view(seat), deep) == hint(state.view(seat), deep)


@pytest.mark.parametrize(("profile", "players"), [("500-rum", 2), ("persian-rummy", 4), ("michigan-rum", 4)])
def test_every_reason_is_about_the_play(profile: str, players: int):
    seen: set[str] = set()
    for seed in range(depth(2, 40)):
        for state in decisions(profile, players, seed):
            choice = bots.get("club").choose_int(state.view(state.actor), Rng(0))
            found = rules_of_thumb(state.view(state.actor), choice)
            assert found
            for why in found:
                seen.add(why.code)
                if why.code == "thumb.take":
                    after = state.copy()
                    after.apply_int(choice)
                    assert why.points == max(map(after.core.points, after.legal_ints()))
    assert {"thumb.lay", "thumb.loose", "thumb.take"} <= seen


@pytest.mark.parametrize(
    ("hand", "chosen", "expected"),
    [
        ("6S 7S 8S KC", "meld 6S 7S 8S", [("thumb.out", [], None, None, None)]),
        ("KC QC 2D", "discard KC", [("thumb.dead", ["KC"], None, None, None)]),
        ("KC QC 2D 8D", "discard 8D", [("thumb.costly", ["8D"], None, 8, None)]),
        ("KC QC 4D 2D", "discard 2D", [("thumb.hold", ["4D"], None, 4, None)]),
        ("KC QC 2D", "discard 2D", [("thumb.loose", ["2D"], None, None, None)]),
        ("4D KC 2C", "lay 4D on 1", [("thumb.lay", [], None, 4, None), ("thumb.others_few", [], 3, None, 1)]),
    ],
)
def test_hint_sentences_are_true(hand: str, chosen: str, expected: list[object]):
    state = table(
        "500-rum",
        [hand, "9S 10C 3H"],
        pile="QD",
        stock="2H 8S",
        melds=[(0, "4S 4H 4C"), (1, "JS QS KS"), (1, "JD QD KD")],
        turn=0,
        phase="play",
    )
    view = state.view(0)
    facts = [
        (one.code, [card_text(card) for card in one.cards], one.count, one.points, one.seat)
        for one in rules_of_thumb(view, encode(parse_play(chosen, view)))
    ]
    assert facts == expected


def test_another_process_computes_the_same():
    view = undo_deal().view(0)
    sent = pickle.loads(pickle.dumps(hint_on(view, "numbers").work))
    answer = msgspec.json.decode(encoded_answer(sent), type=messages.Answer)
    assert answer.hint == hint(view, "numbers")
