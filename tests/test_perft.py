"""Lines of playouts counted: by the engine, by the reference, by the C engine, and as numbers kept here.

`perft(n)` is the number of lines of exactly n plays; a finished deal has no continuation.
"""

from __future__ import annotations

import os
import random
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from rum500.rules.engine import playouts
from rum500.rules.profiles import profile_names, ruleset
from tests.reference import perft as reference_perft
from tests.support.bridge import card_code, card_names
from tests.support.depth import depth, whole_tests
from tests.support.games import random_players, random_rules, random_style, small_deck
from tests.support.lockstep import Lockstep, started_core
from tests.support.play_lines import engine_endings, fixed_order, reference_endings

FLOOR = Path(__file__).resolve().parent.parent / "bench" / "floor"
DEALT = [
    (name, players) for name in profile_names() for players in (2, 4, 6) if players in ruleset(name).players
]

# From the deal on, by depth: 1, 2, 3 ... The reference counts the same to all these depths; in the tests it
# goes as deep as their time allows.
COUNTS: dict[tuple[str, int], list[int]] = {
    ("500-rum", 2): [1, 17, 56, 303, 1600, 8018],
    ("500-rum", 4): [1, 8, 10, 66, 94, 546, 883, 4608, 9555],
    ("500-rum", 6): [1, 8, 9, 57, 101, 498, 769, 3527, 10137],
    ("500-rummy", 2): [1, 15, 42, 252, 837, 4696, 26829],
    ("500-rummy", 4): [1, 8, 9, 74, 198, 747, 1869, 7077],
    ("500-rummy", 6): [1, 8, 8, 72, 192, 892, 3202, 9830],
    ("michigan-rum", 2): [2, 17, 52, 285, 1408, 6344],
    ("michigan-rum", 4): [1, 9, 13, 69, 115, 571, 1162, 5249, 12644],
    ("michigan-rum", 6): [1, 8, 8, 64, 147, 598, 1317, 5058, 12671],
    ("partnership-500-rum", 4): [1, 8, 10, 66, 87, 538, 1353, 5333, 14973],
    ("partnership-500-rummy", 4): [1, 9, 21, 82, 181, 789, 2731, 9971],
    ("persian-rummy", 4): [1, 8, 8, 64, 74, 522, 678, 4265, 7632],
    ("persian-rummy-fosdick", 4): [1, 8, 10, 66, 76, 524, 796, 3938, 8359],
    ("persian-rummy-gamerules", 4): [1, 8, 9, 65, 102, 554, 998, 4648, 8915],
    ("rummy-500", 2): [2, 35, 155, 2060, 18602],
    ("rummy-500", 4): [2, 19, 49, 297, 830, 4942, 15397],
    ("rummy-500", 6): [2, 16, 32, 224, 471, 3973, 9670],
}


def dealt(name: str, players: int, seed: str = "") -> Lockstep:
    """A deal of a deck in an order that its name and number of players fix."""
    rules = ruleset(name)
    return Lockstep(rules, players, fixed_order(rules.deck(players), seed or f"{name} {players}"))


@pytest.mark.sample(9)
@pytest.mark.parametrize(("name", "players"), DEALT)
def test_counts_from_the_deal(name: str, players: int) -> None:
    counts = COUNTS[name, players]
    game = dealt(name, players)
    assert [playouts.perft(game.core, plays) for plays in range(1, len(counts) + 1)] == counts
    feasible = sum(1 for inner in [1, *counts] if inner <= depth(12, 120))
    assert [reference_perft(game.reference, plays) for plays in range(1, feasible + 1)] == counts[:feasible]


def test_every_deal_is_counted() -> None:
    assert list(COUNTS) == DEALT
    assert all(counts[-1] > 5000 for counts in COUNTS.values())


@pytest.mark.parametrize("number", range(depth(4, 16)))
def test_counts_from_the_middle(number: int) -> None:
    """From random points of random deals, house rules and options among them, to a small depth."""
    chance = random.Random(f"perft {number}")
    rules = random_rules(chance)
    players = random_players(rules, chance)
    game = Lockstep(rules, players, small_deck(rules, players, chance))
    weights = random_style(chance)
    for _ in range(chance.randint(5, 40)):
        legal = game.legal()
        if not legal:
            break
        texts = sorted(legal)
        text = chance.choices(texts, [weights.get(text.split()[0], 1.0) for text in texts])[0]
        game.make(text, *legal[text])
    game.reference.restock_order = list  # any order gives as many lines to depth 1
    inner = 1
    for plays in range(1, 5):
        if inner > depth(20, 150) or (rules.restock and plays > 1):
            break
        inner = playouts.perft(game.core, plays)
        assert inner == reference_perft(game.reference, plays)


def c_compiler() -> str | None:
    """A C compiler's command, or None."""
    wanted = os.environ.get("CC", "cc")
    if shutil.which(shlex.split(wanted)[0]):
        return wanted
    return f"{shlex.quote(sys.executable)} -m ziglang cc" if find_spec("ziglang") else None


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C engine of two-player 500 Rum, built apart from the source tree."""
    compiler = c_compiler()
    if compiler is None or not shutil.which("make"):
        pytest.skip("NOT COMPARED WITH THE C ENGINE: there is no C compiler, or no make")
    folder = tmp_path_factory.mktemp("floor")
    for name in ("floor.c", "Makefile"):
        shutil.copy(FLOOR / name, folder)
    command = ["make", "-C", str(folder), f"CC={compiler}", "CFLAGS=-O2", "floor"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder / "floor"


@pytest.mark.parametrize("seed", ["500-rum 2", "second", *depth([], ["third", "fourth"])])
def test_counts_of_the_c_engine(floor: Path, seed: str) -> None:
    """Two engines that share nothing but the rules count alike, deeper than the reference can go."""
    game = dealt("500-rum", 2, seed)
    deck = card_names(fixed_order(ruleset("500-rum").deck(2), seed))
    for plays in range(1, depth(7, 9)):
        command = [str(floor), "perft", str(plays), *deck]
        counted = subprocess.run(command, capture_output=True, text=True, check=True)
        assert playouts.perft(game.core, plays) == int(counted.stdout)


# Decks so small that every line of the deal can be followed to its end: rules, hand, players, the deck in the
# order of dealing, the number of lines.
WILD_TWICE = {"second_pack_from": 2, "same_suit_in_sets": True, "no_progress_rounds": 1}
OWN_RANK = {"joker_kind": "rank", "jokers": 4, "joker_points": 20, "doubles": "melds", "second_pack_from": 0}
NO_JOKERS = {"joker_kind": "none", "jokers": 0, "joker_points": 0, "no_progress_rounds": 1}
FREE_AT_LAST = {"upcard_free_when_stock_empty": True, "no_progress_rounds": 1}
TINY: list[tuple[str, tuple[str, tuple[str, ...], dict[str, Any]], int, int, str, int]] = [
    ("plain", ("500-rum", (), {}), 3, 2, "JD 8H 9S 10H 7D 7H 9D 10D JS 9H", 676),
    ("top free", ("rummy-500", (), NO_JOKERS), 2, 2, "6H 8H 5H 6S 7H 8S 5S", 945),
    ("top free at last", ("rummy-500", (), FREE_AT_LAST), 3, 2, "10H QH JD QC AH QD KC JH", 744),
    ("H1", ("rummy-500", ("H1",), {}), 3, 2, "7H JK 7D 8H 6D 8D 6S 7S JK", 1310),
    ("H2", ("500-rum", ("H2",), {}), 3, 2, "6H 9H 6S 9C 7S 9S 8C 8S 7C 7H", 1331),
    (
        "H3",
        ("rummy-500", ("H3",), {"no_progress_rounds": 1}),
        3,
        3,
        "10C 10S JS JC JD 10D 9C 9D JK 9S JK",
        1190,
    ),
    ("H4", ("rummy-500", ("H4",), {}), 2, 2, "QH JK JC KH 10S 9C", 1651),
    ("H2 H4", ("rummy-500", ("H2", "H4"), {}), 2, 2, "QC JK 3H AH 2C QH", 1660),
    ("H5", ("500-rum", ("H5",), {}), 2, 3, "8S 7C 9C 10S 6S 8C 10C 6C 9S", 1623),
    ("H2 H5", ("500-rum", ("H2", "H5"), {}), 2, 2, "KC KS AH AC QH QS AS", 1741),
    ("H6", ("500-rum", ("H6",), {}), 3, 2, "JC JS AC KH QS KC QH QC JH KS", 1620),
    ("H2 H6", ("500-rum", ("H2", "H6"), {}), 4, 2, "6D 5C 4H 7C 6H 4D 7D 5H 4C 6C 7H", 1577),
    (
        "pass",
        ("500-rum", (), {"stock_out": "pass", "go_out": "meld"}),
        2,
        3,
        "4S KS 2H KH AS AH 3S 2S 4H 3H",
        1106,
    ),
    ("pass H6", ("500-rum", ("H6",), {"stock_out": "pass"}), 2, 3, "7S 7C 5S 4C 6C 7D 4D 5D 5C 6D", 1628),
    (
        "at once",
        ("michigan-rum", (), {"match_end": "at_once", "target": 20}),
        4,
        2,
        "4H 4S 5D 3H 3S 4D 2S 5H 3D 2H 2D",
        1115,
    ),
    ("own rank", ("500-rum", (), OWN_RANK), 3, 3, "4S 6S 2S JK 3H JK JK 6H JK 3S 5H 5S 4H", 1552),
    ("two packs", ("500-rummy", (), {"second_pack_from": 2}), 4, 2, "4D 3C 5D 4C 5C 6C 3S 6D 7D 4S 5S", 1671),
    ("two packs, H1, H3", ("rummy-500", ("H1", "H3"), WILD_TWICE), 2, 2, "6H 6H 7S JK JK 6S 6S", 1070),
    (
        "ace high",
        ("michigan-rum", (), {"ace": "high", "ace_low": 0}),
        3,
        2,
        "QD QH JH KD JD JS 10S 10D KH 10H",
        1116,
    ),
]


QUICK = ("H3", "two packs, H1, H3")
FOLLOWED = [each for each in TINY if each[0] in QUICK] if not whole_tests() else TINY


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("game", "hand", "players", "deck", "lines"), [c[1:] for c in FOLLOWED], ids=[c[0] for c in FOLLOWED]
)
def test_every_line_to_the_end(
    game: tuple[str, tuple[str, ...], dict[str, Any]], hand: int, players: int, deck: str, lines: int
) -> None:
    """Every line, its ending and its points: the same in both, and as many as written down here."""
    name, house_rules, options = game
    rules = ruleset(name, house_rules, hand=hand, hand_two=hand, **options)
    codes = [card_code(card) for card in deck.split()]
    found = Counter(engine_endings(started_core(rules, players, codes)))
    both = Lockstep(rules, players, codes)
    both.reference.restock_order = list
    assert found == reference_endings(both.reference)
    assert found.total() == lines
    if not rules.restock:
        assert playouts.finished_lines(both.core) == lines
