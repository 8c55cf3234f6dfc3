"""Spaces: every legal play has a number and back, and a vector contains only what its seat may know."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import random
from array import array
from typing import TYPE_CHECKING

import pytest

import rum500
from rum500 import RulesetError, _compiled, ruleset
from rum500.rules.profiles import profile_names
from rum500.spaces import DRAW_ID, Actions, Features, HiddenState, planes
from rum500.state import State
from rum500.state.dealing import opening
from tests.support.bridge import play_text
from tests.support.depth import depth
from tests.support.games import random_players, random_rules, random_style, small_deck
from tests.support.indistinguishable_deals import permuted
from tests.support.lockstep import started_core
from tests.support.plain_features import expected, expected_hidden
from tests.support.table import table
from tests.test_compiled_equals_interpreted import MIXES, run_both

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rum500 import Ruleset

RULES = ruleset("500-rum")
HOUSES: tuple[tuple[str, ...], ...] = (
    (),
    ("H1",),
    ("H2",),
    ("H3",),
    ("H4",),
    ("H5",),
    ("H6",),
    ("H2", "H5", "H6"),
    ("H2", "H3", "H4", "H5", "H6"),
)


def games(profile: str) -> Iterator[tuple[Ruleset, int]]:
    """A profile with each permitted choice of house rules and each number of players."""
    for house_rules in HOUSES:
        try:
            rules = ruleset(profile, house_rules=house_rules)
        except RulesetError:
            continue
        for players in rules.players:
            yield rules, players


def walk(state: State, chance: random.Random) -> Iterator[State]:
    """The deal at each of its decisions, and at its end."""
    weights = random_style(chance)
    while not state.is_over:
        yield state
        legal = state.legal_ints()
        chances = [weights.get(play_text(code, state.core).split()[0], 1.0) for code in legal]
        state.apply_int(chance.choices(legal, chances)[0])
    yield state


def check_numbers(actions: Actions, state: State) -> int:
    """All legal plays against all numbers of the mask; the most plays that share a number."""
    legal = [] if state.is_over else state.legal_ints()
    mask = actions.mask(state)
    pairs = {actions.pair(state, code): code for code in legal}
    assert len(pairs) == len(legal)
    assert {number for number, legal in enumerate(mask) if legal} == {number for number, _ in pairs}
    assert set(mask) <= {0, 1}
    assert actions.legal(state) == [number for number, legal in enumerate(mask) if legal]
    for number in {number for number, _ in pairs}:
        plays = actions.plays(state, number)
        assert {(number, variant): code for variant, code in enumerate(plays)}.items() <= pairs.items()
        assert [actions.decode(state, number, variant) for variant in range(len(plays))] == plays
    assert len(pairs) == sum(len(actions.plays(state, number)) for number in {number for number, _ in pairs})
    return max((variant + 1 for _, variant in pairs), default=0)


def check_vectors(features: Features, hidden: HiddenState, state: State, seat: int) -> None:
    """A seat's vectors against the slow reckoning, and the state's against the view's."""
    view = state.view(seat)
    shown = features.write(state, seat)
    assert shown == features.write(view, seat)
    assert features.to_list(view, seat) == shown.tolist()
    assert shown == flat(features.planes, expected(view))
    assert hidden.write(state, seat) == flat(hidden.planes, expected_hidden(state, seat))


def flat(layout: tuple[planes.Plane, ...], cells: dict[str, list[float]]) -> array[float]:
    """The vector of these planes."""
    assert all(len(cells[plane.name]) == plane.size for plane in layout)
    return array("f", [cell for plane in layout for cell in cells[plane.name]])


@pytest.mark.sample(4)
@pytest.mark.compiled
@pytest.mark.parametrize("profile", profile_names())
def test_all_games(profile: str) -> None:
    """Each profile with each house rule and number of players, with every other of them in a quick run."""
    chance = random.Random(profile)
    most = 0
    for rules, players in [*games(profile)][:: depth(2, 1)]:
        actions, features, hidden = (
            Actions(rules, players),
            Features(rules, players),
            HiddenState(rules, players),
        )
        for seed in range(depth(1, 6)):
            state = rum500.deal(rules, players, seed, seed % players)
            for now in walk(state, chance):
                if now.is_over or chance.random() < depth(0.1, 1):
                    shared = check_numbers(actions, now)
                    assert shared < 2 or actions.variants > 1
                    most = max(most, shared)
                    if chance.random() < 0.5:
                        check_vectors(features, hidden, now, chance.randrange(players))
    assert most >= 1


def a_table(chance: random.Random) -> State:
    """A deal of random rules, often from a small deck, in which what is rare comes about."""
    rules = random_rules(chance)
    players = random_players(rules, chance)
    deck = small_deck(rules, players, chance)
    core = started_core(rules, players, deck, chance.randrange(players), [], chance.getrandbits(64))
    return State(rules, core, opening(core))


@pytest.mark.compiled
def test_random_games() -> None:
    """Options that no profile has, small decks: every play has its number, in every decision."""
    most = 0
    for seed in range(depth(60, 1500)):
        chance = random.Random(seed)
        state = a_table(chance)
        actions = Actions(state.rules, state.players)
        for now in walk(state, chance):
            shared = check_numbers(actions, now)
            assert shared < 2 or actions.variants > 1
            most = max(most, shared)
    assert most >= 3


@pytest.mark.compiled
def test_nothing_leaks() -> None:
    """What a seat cannot see is dealt again: no byte of its features and mask changes."""
    changed = looked = 0
    for seed in range(depth(80, 2000)):
        chance = random.Random(seed)
        state = a_table(chance)
        players = state.players
        line = [now.copy() for now in walk(state.copy(), chance)]
        state = line[chance.randrange(len(line) - 1)]
        for observer in range(players):
            twin = permuted(state, observer, [], chance)
            features, hidden = Features(state.rules, players), HiddenState(state.rules, players)
            shown = features.write(state, observer)
            assert shown.tobytes() == features.write(twin, observer).tobytes()
            if state.actor == observer:
                actions = Actions(state.rules, players)
                assert actions.mask(state) == actions.mask(twin) == actions.mask(state.view(observer))
                looked += 1
            changed += hidden.write(state, observer) != hidden.write(twin, observer)
    assert looked >= depth(80, 2000) and changed > looked // 2


@pytest.mark.parametrize(
    ("profile", "house_rules", "players", "numbers", "variants"),
    [
        ("500-rum", (), 2, 483, 1),
        ("persian-rummy", (), 4, 487, 1),
        ("500-rum", ("H2", "H5", "H6"), 2, 534, 1),
        ("500-rum", (), 5, 535, 32),
        ("rummy-500", (), 2, 485, 32),
    ],
)
def test_how_many_numbers(
    profile: str, house_rules: tuple[str, ...], players: int, numbers: int, variants: int
) -> None:
    actions = Actions(ruleset(profile, house_rules=house_rules), players)
    assert (actions.n, actions.variants) == (numbers, variants)
    assert len(set(actions.names)) == len(actions.names) == numbers


def test_the_numbers_stay() -> None:
    """A trained network knows a play by its number: version v1 does not move."""
    names = Actions(ruleset("500-rum", house_rules=("H6",)), 2).names
    assert names[DRAW_ID] == "draw"
    wanted = {0: "draw", 3: "let go", 4: "discard AS", 56: "discard JK", 57: "run AS-3S", 68: "run QS-AS"}
    wanted |= {133: "run 2S-AS", 134: "run AH-3H", 365: "set AH AD AC", 369: "set AS AH AD AC"}
    wanted |= {430: "set JK JK JK", 432: "take 1", 482: "take 51", 483: "call 1", 533: "call 51"}
    assert {number: names[number] for number in wanted} == wanted
    assert hashlib.sha256("\n".join(names).encode()).hexdigest()[:16] == "c51c7a12c2661a8d"
    assert Actions(RULES, 2).version == "v1"


def test_the_planes_stay() -> None:
    """So do the cells of a vector."""
    rules = ruleset("rummy-500", house_rules=("H4", "H5", "H6"), stock_out="pass")
    shown = "\n".join([*Features(rules, 5).names, *HiddenState(rules, 5).names])
    assert hashlib.sha256(shown.encode()).hexdigest()[:16] == "ec88bebe3364040d"
    sizes = {
        name: Features(ruleset(name), ruleset(name).players[0]).size for name in ("500-rum", "persian-rummy")
    }
    assert sizes == {"500-rum": 506, "persian-rummy": 631}
    assert HiddenState(RULES, 2).size == 106
    assert Features(RULES, 2).names[0] == "hand AS" and Features(RULES, 2).version == "v1"


def test_a_play_is_named_by_the_meld_that_results() -> None:
    """A 4 laid on 5-6-7 has the number of the whole run, which from the hand is a new meld."""
    state = table("500-rum", ["4S KH KD", "2H 3D"], melds=["5S 6S 7S"], phase="play")
    actions = Actions(state.rules, 2)
    run = actions.names.index("run 4S-7S")
    assert [name for name, legal in zip(actions.names, actions.mask(state), strict=True) if legal] == [
        "discard 4S",
        "discard KH",
        "discard KD",
        "run 4S-7S",
    ]
    assert play_text(actions.decode(state, run), state.core) == "lay 4S on 1"
    assert actions.encode(state, rum500.decode(actions.decode(state, run))) == run
    state = table("500-rum", ["4S 5S 6S 7S", "2H 3D"], phase="play")
    assert play_text(actions.decode(state, run), state.core) == "meld 4S 5S 6S 7S"


def test_variants_begin_with_the_fewest_jokers() -> None:
    """The 6 or a joker in its place, the 5 or the 7: four ways to the same run."""
    state = table("rummy-500", ["5S 6S 7S JK", "2H 3D"], phase="play")
    actions = Actions(state.rules, 2)
    run = actions.names.index("run 5S-7S")
    plays = [play_text(code, state.core) for code in actions.plays(state, run)]
    assert plays[0] == "meld 5S 6S 7S"
    assert sorted(plays[1:]) == ["meld 5S 6S JK=7S", "meld 5S JK=6S 7S", "meld JK=5S 6S 7S"]
    with pytest.raises(ValueError, match=r"^run 5S-7S has 4 variants here, not a variant 4$"):
        actions.decode(state, run, 4)
    with pytest.raises(ValueError, match="not a variant -1"):
        actions.decode(state, run, -1)


def test_wrong_numbers_are_refused() -> None:
    state = rum500.deal(RULES, 2, seed=7)
    before = state.to_bytes()
    actions = Actions(RULES, 2)
    with pytest.raises(ValueError, match=r"^end \(2\) is not legal here$"):
        actions.decode(state, 2)
    for number in (-1, 483):
        with pytest.raises(ValueError, match=f"are 0 to 482, not {number}"):
            actions.decode(state, number)
    with pytest.raises(ValueError, match="is not legal here"):
        actions.encode(state, rum500.Pass())
    for wrong in ("draw", None, 1.5):
        with pytest.raises(TypeError):
            actions.decode(state, wrong)
        with pytest.raises(TypeError):
            Features(RULES, 2).write(state, wrong)
    assert state.to_bytes() == before


def test_wrong_deals_and_buffers_are_refused() -> None:
    state = rum500.deal(RULES, 2, seed=7)
    actions, features = Actions(RULES, 2), Features(RULES, 2)
    with pytest.raises(ValueError, match="the deal has 3 players, this space is for 2"):
        actions.mask(rum500.deal(RULES, 3))
    with pytest.raises(ValueError, match="under other rules"):
        features.write(rum500.deal(ruleset("500-rummy"), 2), 0)
    with pytest.raises(TypeError, match="expected a State or a View, found str"):
        actions.mask("state")
    for size in (0, 482, 484):
        with pytest.raises(ValueError, match=f"the mask has {size} bytes, this space needs 483"):
            actions.mask(state, bytearray(size))
    with pytest.raises(ValueError, match="contiguous and writable"):
        actions.mask(state, bytes(483))
    with pytest.raises(ValueError, match="contiguous and writable"):
        actions.mask(state, memoryview(bytearray(966))[::2])
    with pytest.raises(TypeError, match="the mask is no buffer: int"):
        actions.mask(state, 5)
    with pytest.raises(ValueError, match="the vector has 4048 bytes, this space needs 2024"):
        features.write(state, 0, array("d", [0.0] * 506))
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"seat {seat} is not at this table"):
            features.write(state, seat)
    with pytest.raises(ValueError, match="the view is of seat 1, not of seat 0"):
        features.write(state.view(1), 0)
    with pytest.raises(ValueError, match="the view is of seat None"):
        features.write(state.view(None), 0)
    with pytest.raises(TypeError, match="a view contains nothing hidden"):
        HiddenState(RULES, 2).write(state.view(0), 0)
    for space in (Features, HiddenState):
        with pytest.raises(ValueError, match="there is no version 'v0' of this space: there are v1"):
            space(RULES, 2, "v0")
    for space in (Actions, Features, HiddenState):
        with pytest.raises(RulesetError):
            space(RULES, 9)
        with pytest.raises(TypeError, match="expected a Ruleset"):
            space("500-rum", 2)  # type: ignore[arg-type]


def test_buffers_are_filled_and_reused() -> None:
    state = rum500.deal(RULES, 2, seed=7)
    actions, features = Actions(RULES, 2), Features(RULES, 2)
    mask, vector = bytearray(b"\xff" * 483), array("f", [9.0] * 506)
    assert actions.mask(state, mask) is mask and mask == actions.mask(state)
    assert features.write(state, 0, vector) is vector and vector == features.write(state, 0)
    numpy = pytest.importorskip("numpy")
    flags, floats = numpy.ones(483, bool), numpy.ones(506, numpy.float32)
    actions.mask(state, flags)
    features.write(state, 0, floats)
    assert flags.tobytes() == bytes(mask) and floats.tobytes() == vector.tobytes()


def test_spaces_are_pickled_as_their_game() -> None:
    state = rum500.deal(RULES, 2, seed=7)
    for again in (pickle.loads, copy.deepcopy):
        actions, features, hidden = (
            again(pickle.dumps(space)) if again is pickle.loads else again(space)
            for space in (Actions(RULES, 2), Features(RULES, 2), HiddenState(RULES, 2))
        )
        assert actions.mask(state) == Actions(RULES, 2).mask(state)
        assert features.write(state, 1) == Features(RULES, 2).write(state, 1)
        assert hidden.write(state, 1) == HiddenState(RULES, 2).write(state, 1)


def test_a_mask_is_the_actors_alone() -> None:
    state = rum500.deal(RULES, 2, seed=7)
    actions = Actions(RULES, 2)
    assert sum(actions.mask(state.view(state.actor))) == 1
    assert sum(actions.mask(state.view(1 - state.actor))) == 0


DIGEST = """
import hashlib, json, random, sys
import rum500
from rum500 import _compiled
from rum500.spaces import Actions, Features, HiddenState
print(_compiled.engine_kind())
for number, (name, house_rules, options, players) in enumerate(json.load(sys.stdin)):
    rules = rum500.ruleset(name, house_rules, **options)
    spaces = Actions(rules, players), Features(rules, players), HiddenState(rules, players)
    digest, chance = hashlib.sha256(), random.Random(number)
    state = rum500.deal(rules, players, seed=number)
    while not state.is_over:
        digest.update(spaces[0].mask(state))
        for space in spaces[1:]:
            digest.update(space.write(state, chance.randrange(players)))
        code = chance.choice(state.legal_ints())
        shown = spaces[0].pair(state, code), spaces[0].legal(state), spaces[1].to_list(state, state.actor)
        digest.update(repr(shown).encode())
        state.apply_int(code)
    print(name, players, digest.hexdigest())
"""


@pytest.mark.whole
@pytest.mark.skipif(not _compiled.is_compiled(), reason="NOT COMPARED: the engine is not compiled here")
def test_spaces_are_the_same_interpreted() -> None:
    assert len(run_both(DIGEST, json.dumps(MIXES[:: depth(4, 1)]))) > 6
