"""The deal as a seat knows it: everything that the seat sees is passed to the engine, and nothing hidden."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from rum500 import Phase, State, ai, deal
from rum500.ai.worlds import Worlds
from rum500.cards import JOKER
from rum500.rng import Rng
from rum500.rules.engine.core import Core, Moves
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.view import View, view_of
from tests.support.depth import depth
from tests.support.games import random_players, random_rules, random_style
from tests.support.indistinguishable_deals import permuted

SEEDS = depth(24, 90)
RARE = (
    ("rummy-500", ("H4", "H5"), 3),
    ("persian-rummy-gamerules", (), 4),
    ("500-rum", ("H2", "H5", "H6"), 2),
)
"""Profiles, house rules and players that bring about bans, passes, and floaters who claim after restocks."""


def mixed(seed: int) -> tuple[State, random.Random]:
    """A deal of random rules; every third of those that bring about what is rare."""
    chance = random.Random(seed)
    if seed % 3:
        return started(random_rules(chance), chance), chance
    name, house_rules, players = RARE[seed // 3 % 3]
    return deal(ruleset(name, house_rules), players, seed=chance.getrandbits(64)), chance


def is_rare(core: Core) -> bool:
    """A phase, or a turn, that does not come up in every deal."""
    return bool(core.phase == Phase.CLAIM or core.floater or core.claiming or core.ban >= 0 or core.passes)


def started(rules: Ruleset, chance: random.Random) -> State:
    """A deal begun, of a whole deck."""
    players = random_players(rules, chance)
    return deal(rules, players, seed=chance.getrandbits(64), dealer=chance.randrange(players))


def positions(state: State, chance: random.Random, most: int = 160) -> list[State]:
    """The deal at each decision of a random game, which ends early in places."""
    style, found = random_style(chance), []
    words = {0: "draw", 2: "end", 3: "let", 4: "take", 5: "call", 6: "discard", 7: "meld", 8: "meld"}
    while not state.is_over and len(found) < most:
        found.append(state.copy())
        codes = state.legal_ints()
        weights = [style.get(words.get(code & 15, "lay"), 1.0) for code in codes]
        state.apply_int(chance.choices(codes, weights)[0])
    return found


def check_seat(state: State, seat: int, seeds: Rng) -> None:
    """What a seat sees, its engine's form, and worlds drawn from it are one and the same."""
    view = replace(state.view(seat), past=())  # a core keeps no course
    known = ai.known_deal(view)
    assert view_of(known.core, state.rules, seat) == view
    hidden = Counter(state.stock)
    for other in range(state.players):
        if other != seat:
            hidden += Counter(state.hands[other]) - Counter(state.known(other))
            assert known.core.hand_cards(other) == list(view.known[other])
    assert Counter(known.unseen) == hidden
    assert sum(known.room) + known.stock == len(known.unseen) and known.room[seat] == 0
    for world in ai.sample(view, seeds, 2):
        check_world(state, world, seat)
    worlds = known.worlds()
    rows = [[seeds.below(800) - 400 for _ in range(state.players + 1)] for _ in known.unseen]
    worlds.set_weights(rows, 20)
    check_world(state, worlds.world(seeds.next64()), seat)


def check_world(state: State, world: Core, seat: int) -> None:
    """A world is a whole deal that this seat cannot distinguish from the true one."""
    assert view_of(world, state.rules, seat) == replace(state.view(seat), past=())
    twin = State(state.rules, world)
    cards = Counter(card for hand in twin.hands for card in hand) + Counter(twin.stock)
    assert cards == Counter(card for hand in state.hands for card in hand) + Counter(state.stock)
    assert [len(hand) for hand in twin.hands] == [len(hand) for hand in state.hands]
    if state.core.restocks or state.core.restocked_cards():
        assert not Counter(twin.stock) - Counter(state.core.restocked_cards())


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", profile_names())
def test_every_decision_of_every_profile(name: str) -> None:
    """The deciding player gets the same legal actions and the same view at every number of players."""
    for players in ruleset(name).players:
        chance = random.Random(f"{name} {players}")
        state = deal(ruleset(name), players, seed=chance.getrandbits(64))
        for position in positions(state, chance)[:: depth(6, 2)]:
            check_seat(position, position.actor, Rng(chance.getrandbits(64)))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_house_rules_and_options(seed: int) -> None:
    """H1 to H6: claims, restocks, floaters, passes and two packs, seen by the actor and by others."""
    state, chance = mixed(seed)
    for number, position in enumerate(positions(state, chance)):
        if number % 6 and not is_rare(position.core):
            continue
        for seat in {position.actor, chance.randrange(position.players)}:
            check_seat(position, seat, Rng(chance.getrandbits(64)))


def test_the_rare_phases_came_up() -> None:
    """The deals above hold every phase, restocks, floaters, claims and bans."""
    seen = Counter[str]()
    for seed in range(SEEDS):
        for position in positions(*mixed(seed)):
            core = position.core
            seen[Phase(core.phase).name] += 1
            seen["restock"] += bool(core.restocked_cards())
            seen["floater"] += bool(core.floater)
            seen["called"] += bool(core.claiming)
            seen["banned"] += core.ban >= 0
            seen["passed"] += core.passes > 0
            seen["joker"] += JOKER in position.pile
            seen["two packs"] += core.packs == 2
    wanted = ["DRAW", "USE", "PLAY", "CLAIM", "restock", "floater", "called", "banned", "passed", "joker"]
    assert min(seen[name] for name in [*wanted, "two packs"]) >= depth(4, 20), seen


def test_worlds_contain_no_hidden_information() -> None:
    """Deals that differ in hidden cards alone have one and the same seat core."""
    for seed in range(30):
        chance = random.Random(seed)
        state = started(ruleset(chance.choice(profile_names())), chance)
        for position in positions(state, chance)[::7]:
            twin = permuted(position, position.actor, [], chance)
            one, other = (ai.known_deal(each.view(position.actor)) for each in (position, twin))
            assert one.unseen == other.unseen and one.room == other.room
            assert one.core.stock_cards() == other.core.stock_cards()
            assert view_of(one.core, state.rules, position.actor) == view_of(
                other.core, state.rules, position.actor
            )


def two_cards() -> Worlds:
    """Four unseen cards: one each for seats 1 and 2, two in the stock."""
    rules = ruleset("500-rum")
    core = new_core(rules, 3)
    core.hn = [0, 1, 1, 0, 0, 0, 0, 0]
    return Worlds(core, [1, 2, 3, 4], 0, [0, 1, 1])


def test_worlds_are_uniform() -> None:
    """Each of the 24 arrangements comes up about as often as the others."""
    worlds = two_cards()
    counts = Counter[tuple[object, ...]]()
    for seed in range(24_000):
        world = worlds.world(seed)
        counts[(*world.hand_cards(1), *world.hand_cards(2), *world.stock_cards())] += 1
    assert len(counts) == 24
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 45  # chi-square, 23 degrees: 1 in 250


def test_weights_move_cards() -> None:
    """A card with log-odds of 1 for seat 1 lies there as often as the formula says."""
    worlds = two_cards()
    worlds.set_weights([[0, 256, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    there = sum(worlds.world(seed).hand_cards(1) == [1] for seed in range(8000))
    assert there / 8000 == pytest.approx(2.718 / (2.718 + 3), abs=0.02)
    worlds.set_weights([[0, 2560, 0, 0], [0] * 4, [0] * 4, [0] * 4], 50)
    there = sum(worlds.world(seed).hand_cards(1) == [1] for seed in range(8000))
    assert there / 8000 == pytest.approx((1 + 0.25) / 2, abs=0.02)


def test_cards_that_were_not_restocked_stay_in_hands() -> None:
    """The first cards are bound: none of them is ever in the stock, with weights or without."""
    rules = ruleset("500-rum")
    core = new_core(rules, 2)
    core.hn = [0, 3, 0, 0, 0, 0, 0, 0]
    worlds = Worlds(core, [7, 8, 1, 2, 3, 4], 2, [0, 3])
    for seed in range(300):
        assert {7, 8} <= set(worlds.world(seed).hand_cards(1))
    worlds.set_weights([[0, 0, 900]] * 6)
    for seed in range(300):
        assert {7, 8} <= set(worlds.world(seed).hand_cards(1))


def test_too_many_bound_cards_are_refused() -> None:
    core = new_core(ruleset("500-rum"), 2)
    with pytest.raises(ValueError, match="do not fit"):
        Worlds(core, [1, 2, 3], 2, [0, 1])


def test_a_world_is_its_seed() -> None:
    worlds = two_cards()
    one, other = worlds.world(5), worlds.world(5)
    assert one.stock_cards() == other.stock_cards() and one.rng == other.rng
    core = Core()
    core.copy_from(one)
    core.playout(Moves(), 3)
    assert worlds.world(5).stock_cards() == other.stock_cards()


def test_a_spectator_and_a_deal_that_is_over() -> None:
    state = deal(ruleset("500-rum"), 2, seed=3)
    view: View = state.view(None)
    assert ai.known_deal(view).room == (13, 13)
    state.core.playout(Moves(), 1)
    over = ai.known_deal(state.view(0))
    assert sum(over.room) == 0 and sorted(over.unseen) == sorted(state.stock)
