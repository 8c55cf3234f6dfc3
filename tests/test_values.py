"""Deals as values: compared, copied, pickled, as bytes and as text; matches too."""

from __future__ import annotations

import copy
import json
import pickle
import random
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rum500
from rum500 import State, _compiled, deal, ruleset
from rum500.ai.card_odds import beliefs
from rum500.match import Match, MatchError, PlayNeeded, Resign
from rum500.rng import Rng
from rum500.rules.profiles import profile_names
from rum500.state import BytesError, PositionError
from tests.support.depth import depth
from tests.support.games import random_players, random_rules
from tests.test_compiled_equals_interpreted import run

seeds = st.integers(min_value=0, max_value=2**64 - 1)
TABLES = [(name, players) for name in profile_names() for players in ruleset(name).players]


def played(state: State, chance: random.Random, most: int) -> State:
    """The deal after so many random actions, or at its end."""
    for _ in range(most):
        if state.is_over:
            break
        state.apply_int(chance.choice(state.legal_ints()))
    return state


def some_deal(seed: int) -> State:
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    totals = [0] * players if rules.sides else [chance.randrange(-50, 50) for _ in range(players)]
    state = deal(rules, players, seed, chance.randrange(players), totals)
    return played(state, chance, chance.choice((0, 5, 30, 100, 1000)))


def same(ours: State, theirs: State) -> None:
    """Equal, and the same in everything that follows: views, beliefs, and what happens from here on."""
    assert ours == theirs and theirs == ours and ours is not theirs
    for seat in (None, *range(ours.players)):
        assert ours.view(seat) == theirs.view(seat)
    if not ours.is_over:
        view, again = ours.view(ours.actor), theirs.view(theirs.actor)
        assert beliefs(view) == beliefs(again)
    chance, ours, theirs = random.Random(5), ours.copy(), theirs.copy()
    for _ in range(12):
        if ours.is_over:
            break
        code = chance.choice(ours.legal_ints())
        assert ours.apply(code) == theirs.apply(code)
    assert ours == theirs


WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "bytes": lambda state: State.from_bytes(state.to_bytes(), state.rules),
    "text": lambda state: State.from_text(state.to_text()),
}


@settings(max_examples=depth(40, 300))
@given(seed=seeds, way=st.sampled_from(sorted(WAYS)))
def test_a_deal_comes_back_the_same(seed: int, way: str) -> None:
    state = some_deal(seed)
    same(state, WAYS[way](state))


@pytest.mark.sample(10)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_table_comes_back_in_every_way(name: str, players: int) -> None:
    chance = random.Random(players)
    state = deal(ruleset(name), players, 11)
    while not state.is_over:
        played(state, chance, 25)
        for way in WAYS.values():
            same(state, way(state))


def test_what_differs_is_not_equal() -> None:
    state = deal(ruleset("500-rum"), 2, 3)
    assert state != deal(ruleset("500-rum"), 2, 4)
    assert state != deal(ruleset("rummy-500"), 2, 3)
    assert state != deal(ruleset("500-rum"), 2, 3, totals=(5, 0), number=1)
    assert state != State(state.rules, state.copy().core)
    after = state.copy()
    after.apply(rum500.Draw())
    assert state not in (after, 1)
    with pytest.raises(TypeError):
        hash(state)


def refused(data: bytes, state: State) -> str:
    with pytest.raises(BytesError) as caught:
        State.from_bytes(data, state.rules)
    return caught.value.code


@settings(max_examples=depth(5, 30), deadline=None)
@given(seed=seeds)
def test_damaged_bytes_are_refused(seed: int) -> None:
    state, chance = some_deal(seed), random.Random(seed)
    data = state.to_bytes()
    for at in range(len(data)):
        wrong = bytearray(data)
        wrong[at] ^= chance.randrange(1, 256)
        wanted = "bytes.kind" if at < 3 else "bytes.version" if at == 3 else "bytes.damaged"
        assert refused(bytes(wrong), state) == wanted
        assert refused(data[:at], state) == wanted
    assert refused(data + b"\0", state) == "bytes.damaged"
    other = ruleset("michigan-rum" if state.rules.hands != "winner" else "500-rum")
    with pytest.raises(BytesError, match="other rules") as caught:
        State.from_bytes(data, other)
    assert pickle.loads(pickle.dumps(caught.value)).code == caught.value.code == "bytes.rules"


@settings(max_examples=depth(15, 100), deadline=None)
@given(seed=seeds)
def test_forged_bytes_are_refused_or_are_a_deal(seed: int) -> None:
    """With a checksum that fits: whatever is read can be looked at, written again and read again."""
    state, chance = some_deal(seed), random.Random(seed)
    data = state.to_bytes()
    for _ in range(60):
        wrong = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 5))):
            wrong[chance.randrange(12, len(wrong) - 4)] = chance.choice(
                (0, 1, 127, 255, chance.randrange(256))
            )
        if chance.random() < 0.2:
            del wrong[chance.randrange(12, len(wrong)) :]
            wrong += bytes(4)
        wrong[-4:] = crc32(wrong[:-4]).to_bytes(4, "little")
        try:
            forged = State.from_bytes(bytes(wrong), state.rules)
        except BytesError:
            assert refused(bytes(wrong), state) == "bytes.invalid"
            continue
        cards = [*forged.stock, *forged.pile, *(card for hand in forged.hands for card in hand)]
        cards += [placed.card for meld in forged.melds for placed in meld.cards]
        assert sorted(cards) == sorted(state.rules.deck(state.players))
        assert State.from_bytes(forged.to_bytes(), state.rules) == forged
        assert State.from_text(forged.to_text()) == forged
        assert len(forged.view(0).hand) == forged.core.hn[0]


def test_a_course_in_a_text_is_checked() -> None:
    state = deal(ruleset("500-rum"), 2, 3)
    text = state.to_text()
    assert f"course: {state.past[0]}\n" in text
    without = State.from_text(text.replace(f"course: {state.past[0]}\n", ""))
    assert without.past == () and without != state
    for wrong in ("x", "15", str(1 << 64), "0", "-6", ""):
        with pytest.raises(PositionError) as caught:
            State.from_text(text.replace(f"course: {state.past[0]}", f"course: {wrong}"))
        assert [problem.code for problem in caught.value.problems] == ["position.course"]


def test_the_table_as_a_person_reads_it() -> None:
    state = deal(ruleset("500-rum"), 2, 7)
    lines = str(state).split("\n")
    assert lines[0] == "500 Rum, deal 1, 2 players, seat 0 dealt"
    assert lines[1] == "stock: 25 cards" and lines[-1] == "to decide: seat 1, draw"
    assert lines[3].startswith("seat 0: 13 cards, 0 points, total 0: ")
    state = played(state, random.Random(1), 1000)
    assert "\nmeld 1 of seat " in str(state) and "\nover: " in str(state)


MATCH_WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
    "bytes": lambda match: Match.from_bytes(match.to_bytes(), match.rules),
}


def answered(match: Match, chance: random.Random) -> None:
    asked = match.decision
    if isinstance(asked, PlayNeeded):
        match.apply(chance.choice(asked.state.legal_ints()))
    else:
        match.apply(asked.positions[0] if hasattr(asked, "positions") else 7)


@settings(max_examples=depth(8, 40), deadline=None)
@given(seed=seeds, way=st.sampled_from(sorted(MATCH_WAYS)))
def test_a_match_comes_back_the_same(seed: int, way: str) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    match = Match(rules, random_players(rules, chance), Rng(seed))
    for _ in range(chance.choice((0, 1, 6, 40, 300))):
        if not match.is_over:
            answered(match, chance)
    if chance.random() < 0.2 and not match.is_over:
        match.apply(Resign(0))
    again = MATCH_WAYS[way](match)
    assert again == match and again is not match and str(again) == str(match)
    assert again.view(0) == match.view(0) and again.undoable == match.undoable
    for _ in range(10):
        if match.is_over:
            break
        answered(again, random.Random(1))
        assert again != match
        answered(match, random.Random(1))
        assert again == match
    while match.undoable:
        match.undo()
        again.undo()
        assert again == match


def test_bytes_of_a_match_are_refused_with_a_reason() -> None:
    match = Match.quick(ruleset("500-rum"), 2, seed=4)
    data = match.to_bytes()
    for wrong, code in (
        (match.state.to_bytes() if match.state else b"", "bytes.kind"),
        (data[:3] + b"\x07" + data[4:], "bytes.version"),
        (data[:-1], "bytes.damaged"),
        (data[:-5] + b"\0" * 5, "bytes.damaged"),
    ):
        with pytest.raises(BytesError) as caught:
            Match.from_bytes(wrong, match.rules)
        assert caught.value.code == code
    with pytest.raises(BytesError, match="other rules"):
        Match.from_bytes(data, ruleset("rummy-500"))
    match.forget()
    with pytest.raises(MatchError) as forgotten:
        match.to_bytes()
    assert forgotten.value.code == "match.forgotten"


SCRIPT = """
import json, random, sys
from rum500 import deal, ruleset
for name, players, seed in json.load(sys.stdin):
    state, chance = deal(ruleset(name), players, seed), random.Random(seed)
    while not state.is_over:
        state.apply_int(chance.choice(state.legal_ints()))
        if chance.random() < 0.1:
            data = state.to_bytes()
            again = type(state).from_bytes(data, state.rules)
            print(data.hex(), again == state)
"""


@pytest.mark.skipif(not _compiled.is_compiled(), reason="NOT COMPARED: the engine is not compiled here")
def test_the_bytes_are_the_same_interpreted() -> None:
    given = json.dumps([(name, players, 3) for name, players in TABLES])
    compiled = run(SCRIPT, given, interpreted=False)
    assert compiled == run(SCRIPT, given, interpreted=True)
    assert compiled.count("True") > 100 and "False" not in compiled
