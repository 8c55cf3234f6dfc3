"""The core's heuristic: legal plays, nothing hidden used, the same when interpreted, and its strength."""

from __future__ import annotations

import json
import random
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import rum500
from rum500 import State, _compiled, bots, deal, decode
from rum500.ai.heuristic_levels import class_of, policy, policy_of, weights
from rum500.ai.policy import Policy, SeatPolicies
from rum500.ai.policy_deals import club_deals, duel
from rum500.ai.policy_weights import hand_set, names
from rum500.rules.engine.core import DISCARD, PHASE_OVER, Core, Moves
from rum500.rules.notation import play_text
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim import SimulationJob, SimulationPlan, simulate
from rum500.sim.deals import deal_seed, play_deal
from rum500.state.core_setup import new_core
from tests.support.games import random_players, random_rules, small_deck
from tests.support.habits import watched
from tests.support.table import table
from tests.test_compiled_equals_interpreted import MIXES, run, run_both
from tools.train_club import SEEDS

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ("casual", "club")
TABLES = [(name, players) for name in profile_names() for players in ruleset(name).players]


def played(core: Core, seated: list[Policy]) -> list[int]:
    """Play a deal out, every choice checked against the legal ones; the choices."""
    moves, made = Moves(), []
    while core.phase != PHASE_OVER:
        legal = core.legal(moves)
        code = seated[core.actor % len(seated)].choice(core)
        assert code in legal
        made.append(code)
        core.apply(code, moves)
    return made


# --- legal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(10))
def test_its_choice_is_legal_in_any_mix_of_rules(part: int) -> None:
    """Random permitted options and short decks, which bring about what is rare; random weights too."""
    chance = random.Random(f"club {part}")
    for _ in range(30):
        rules = random_rules(chance)
        players = random_players(rules, chance)
        core = new_core(rules, players, [chance.choice((0, 0, 480))] * players)
        core.set_stock(small_deck(rules, players, chance))
        core.start(chance.randrange(players))
        wild = [round(weight * chance.gauss(0, 2)) + chance.randint(-9, 9) for weight in hand_set()]
        assert played(core, [policy(rules, players), Policy(wild), Policy(wild, forgets=True)])


@pytest.mark.compiled
def test_a_floater_and_an_empty_stock_and_a_claim_are_met() -> None:
    """What the mixes above are meant to reach is reached."""
    seen: set[str] = set()
    for name, house_rules, options, players in MIXES[-9:]:
        core, moves = new_core(ruleset(name, house_rules, **options), players), Moves()
        player = Policy([])
        for seed in range(60):
            core.shuffle(seed)
            core.start(0)
            while core.phase != PHASE_OVER:
                seen |= {"claim"} if core.phase == 3 else set()
                seen |= {"floater"} if core.floater else set()
                seen |= {"restock"} if core.restocks else set()
                seen |= {"no stock"} if core.stock_next == core.stock_end else set()
                seen |= {"ban"} if core.ban >= 0 else set()
                core.apply(player.choice(core), moves)
    assert seen == {"claim", "floater", "restock", "no stock", "ban"}


# --- hidden information ----------------------------------------------------------------------------


GAMES = {class_of(ruleset(name), players): (name, players) for name, players in TABLES}
"""A game of each class."""


@pytest.mark.compiled
@pytest.mark.parametrize("name", GAMES)
def test_casual_forgets_what_was_taken(name: str) -> None:
    """What others took changes club's choices, and casual's never."""
    profile, players = GAMES[name]
    changed = {level: unlike(ruleset(profile), players, level) for level in LEVELS}
    assert changed["casual"] == 0
    assert changed["club"] > 5


def unlike(rules: Ruleset, players: int, level: str) -> int:
    """How many choices change where what others took is forgotten."""
    core, moves, player, changed = new_core(rules, players), Moves(), policy(rules, players, level), 0
    for seed in range(40):
        core.shuffle(seed)
        core.start(0)
        while core.phase != PHASE_OVER:
            code = player.choice(core)
            blank = Core()
            blank.copy_from(core)
            for cards in ("k1", "k2", "kj"):
                own = getattr(core, cards)[core.actor]
                setattr(blank, cards, [own if seat == core.actor else 0 for seat in range(8)])
            changed += player.choice(blank) != code
            core.apply(code, moves)
    return changed


# --- equal results ---------------------------------------------------------------------------------

SCRIPT = """
import json, sys
from rum500 import _compiled
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy_deals import club_deals
from rum500.rules.profiles import ruleset
from rum500.state.core_setup import new_core
mixes, deals = json.load(sys.stdin)
print(_compiled.engine_kind())
for number, (name, house_rules, options, players) in enumerate(mixes):
    rules = ruleset(name, house_rules, **options)
    seated = [policy(rules, players, ("club", "casual")[seat % 2]) for seat in range(players)]
    print(name, players, club_deals(new_core(rules, players), seated, number, 0, deals))
"""


@pytest.mark.skipif(not _compiled.is_compiled(), reason="NOT COMPARED: the engine is not compiled here")
def test_compiled_and_interpreted_choose_alike() -> None:
    """Whole deals, in every profile, with every number of players, and in mixes."""
    assert len(run_both(SCRIPT, json.dumps([MIXES, 6]))) == len(MIXES)


def test_the_numbers_are_the_same() -> None:
    """policy.py has the places of the weights for the interpreter, policy.pxd for the compiler."""
    text = (Path(rum500.__file__).parent / "ai" / "policy.pxd").read_text()
    found = {name: int(value) for name, value in re.findall(r"^    ([A-Z_]+) = (-?\d+)$", text, re.MULTILINE)}
    script = "import json; from rum500.ai import policy; print(json.dumps({name: value for name, value "
    script += "in vars(policy).items() if name.isupper() and isinstance(value, int)}))"
    written = json.loads(run(script, interpreted=True))
    assert len(found) >= 19 and found.items() <= written.items()
    assert found["JOKER_COST"] == found["COST"] + 2 * found["SIGNS"] * 3
    assert len(names()) == found["WEIGHTS"] == found["JOKER_COST"] + found["JOKER_SIGNS"] * 3
    assert f"cdef int[{found['WEIGHTS']}] w\n" in text


def test_threads_may_share_policies() -> None:
    """Deals are played without the interpreter's lock, so each call needs working memory of its own."""
    rules = ruleset("500-rum")
    shared = policy(rules, 2)
    deals = 2000 if _compiled.is_compiled() else 4

    def played(seed: int) -> tuple[list[int], list[int]]:
        core = new_core(rules, 2)
        return club_deals(core, [shared] * 2, seed, 0, deals), duel(core, shared, Policy([]), seed, deals)

    expected = [played(seed) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(played, (1, 2))) == expected


def test_simulate_plays_them_in_the_core() -> None:
    """What the core plays in one go is what the bots play one by one beside another."""
    rules = ruleset("500-rum")
    seated = (bots.get("club"), bots.get("casual"))
    rows = list(SimulationJob(SimulationPlan(rules, 2, 24, 3, seated), 4, 20, {}).play().rows)
    assert len(rows) == 20 * 5
    for index in range(4, 24):
        state = deal(rules, 2, deal_seed(3, index), index % 2)
        actions = play_deal(state, seated, 1)
        row = [actions, state.core.reason, state.core.out, *state.scores()]
        assert rows[5 * (index - 4) :][:5] == row
    assert simulate(rules, 2, 20, seed=3, bots=("club", "casual"), workers=1).actions > 20 * 20


# --- weights ---------------------------------------------------------------------------------------


def test_every_game_has_weights_of_its_class() -> None:
    classes = {class_of(ruleset(name), players) for name, players in TABLES}
    assert len(classes) == 11
    for name in classes:
        text = resources.files("rum500.ai").joinpath("weights", f"{name}.toml").read_text("utf-8")
        file = tomllib.loads(text)
        assert file["made"].startswith(f"python -m tools.train_club {name} --seed {SEEDS.get(name, 1)} ")
        assert list(weights(name)) == policy_of(name).weights()
    assert class_of(ruleset("michigan-rum", jokers=1, joker_kind="wild", joker_points=15), 2) == "two-wild"


CARE = {"two-plain": 16, "table-wild": 8, "packs-plain": 4, "sides-rank": 8}
"""So many sixteenths of what club minds, a class for each size of table."""


@pytest.mark.parametrize("name", CARE)
def test_casual_minds_others_less(name: str) -> None:
    """At tables of more than two a part of what a play gives others; laying at once; the rest as club."""
    club = dict(zip(names(), policy_of(name).weights(), strict=True))
    casual = dict(zip(names(), policy_of(name, "casual").weights(), strict=True))
    ends = ("open", "sure", "half", "maybe", "held", "joker_near")
    given = [key for key in club if key.endswith(ends)]
    given += [f"{key}_per_point" for key in given if f"{key}_per_point" in club]
    assert len(given) == 1 + 3 * (2 * 5 + 1)
    for key in given:
        assert casual.pop(key) == club.pop(key) * CARE[name] // 16
    assert (casual.pop("lay"), club.pop("lay") != 64) == (64, True)
    assert (casual.pop("near"), club.pop("near") >= 0) == (0, True)
    assert casual == club


HABITS = ("500-rum/2", "rummy-500/2", "500-rum/4", "persian-rummy/4", "rummy-500/6")


@pytest.mark.sample(2)
@pytest.mark.compiled
@pytest.mark.parametrize("table", HABITS)
def test_casual_lays_what_it_has(table: str) -> None:
    """It throws a card that it could lay in at most 2 % of its turns, against any players."""
    for other in ("casual", "club"):
        found = watched("casual", other, table, 30, seed=2)
        assert found.throws <= found.discards / 50
        assert found.discards > 50


@pytest.mark.compiled
@pytest.mark.parametrize("level", ["greedy", "casual", "club"])
def test_a_level_holds_back_as_it_is_declared(level: str) -> None:
    """With two players."""
    declared = {one.name: one.holds_back for one in bots.levels()}
    found = watched(level, level, "500-rum/2", 20, seed=3)
    assert (found.throws > found.discards / 4) is declared[level]


def test_weights_are_filled_up_and_bounded() -> None:
    assert Policy([]).weights() == hand_set() and len(hand_set()) == len(names())
    assert Policy([1, 2]).weights()[:3] == [1, 2, hand_set()[2]]
    assert Policy([10**9]).weights()[0] == 4096
    with pytest.raises(ValueError, match="weights are given"):
        Policy([0] * (len(names()) + 1))
    with pytest.raises(ValueError, match="9 policies are given"):
        SeatPolicies([Policy([])] * 9)


# --- strength --------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["two-plain", "two-wild", "two-winner"])
def test_the_tuned_weights_beat_those_set_by_hand(name: str) -> None:
    profile = {"two-plain": "500-rum", "two-wild": "rummy-500", "two-winner": "michigan-rum"}[name]
    margins = duel(new_core(ruleset(profile), 2), policy_of(name), Policy([]), 99, 400)
    mean = sum(margins) / len(margins) / 2
    error = (sum((margin / 2 - mean) ** 2 for margin in margins)) ** 0.5 / len(margins)
    assert mean > 2 * error


def best_of(state: State) -> int:
    return policy(state.rules, state.players).choice(state.core)


@pytest.mark.parametrize(
    ("rules", "hands", "given", "plays"),
    [
        # Three 6s lie there too, but only the 7 makes a meld that leaves nothing in hand.
        ("500-rum", ["6H 8H", "KD KC"], {"pile": "6S 7H 6D", "phase": "draw"}, ["take 7H"]),
        ("persian-rummy", ["JK JK JK JK 2C 5H", *["KD 7C QH"] * 3], {}, ["meld JK JK JK JK"]),
        ("persian-rummy", ["8S 8H 8D 8C 2C 5H", *["KD 7C QH"] * 3], {}, ["meld 8S 8H 8D 8C"]),
        ("persian-rummy", ["JK JK JK KC", *["KD 7C QH"] * 3], {}, ["meld JK JK JK", "discard KC"]),
    ],
)
def test_it_goes_out_when_it_can(
    rules: str, hands: list[str], given: dict[str, Any], plays: list[str]
) -> None:
    """A turn that can end the deal ends it; four that count double are not held back."""
    state = table(rules, hands, stock="2C 3D 9S TC", **({"phase": "play"} | given))
    for play in plays:
        assert play_text(decode(best_of(state)), state).startswith(play)
        state.apply_int(best_of(state))


def test_it_throws_the_only_card_it_may() -> None:
    state = table("500-rum", ["KD", "KC QC"], pile="6S", stock="2C 3D", phase="play")
    assert best_of(state) == DISCARD | 44 << 4
