"""The engine's sources give the same deals compiled and interpreted, and declare the same numbers."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rum500
from rum500 import _compiled
from rum500.rules.engine import core as engine
from rum500.rules.profiles import profile_names

ENGINE = Path(rum500.__file__).parent / "rules" / "engine"
ROOT = Path(__file__).resolve().parent.parent

# Profile, house rules, options, players.
MIXES: list[tuple[str, list[str], dict[str, Any], int]] = [
    *((name, [], {}, players) for name in profile_names() for players in rum500.ruleset(name).players),
    ("rummy-500", ["H1", "H3", "H5"], {"hand_two": 7}, 2),
    ("rummy-500", ["H2", "H3", "H4", "H6"], {}, 3),
    ("rummy-500", ["H2", "H4", "H5", "H6"], {"second_pack_from": 2, "same_suit_in_sets": True, "hand": 4}, 3),
    ("500-rum", ["H2", "H6"], {"jokers": 1, "joker_kind": "wild", "joker_points": 15}, 4),
    ("500-rummy", ["H5", "H6"], {"stock_out": "pass", "go_out": "meld"}, 5),
    ("500-rum", ["H2", "H5"], {"hand": 3}, 4),
    ("michigan-rum", ["H6"], {"match_end": "at_once", "target": 60}, 4),
    ("persian-rummy", ["H2", "H6"], {"doubles": "melds"}, 4),
    ("partnership-500-rum", ["H5"], {"ace": "high", "ace_low": 0}, 4),
]
SCRIPT = """
import json, sys
from rum500 import _compiled
from rum500.rules.engine import playouts
from rum500.rules.profiles import ruleset
from rum500.state.core_setup import new_core
mixes, deals = json.load(sys.stdin)
print(_compiled.engine_kind())
for number, (name, house_rules, options, players) in enumerate(mixes):
    core = new_core(ruleset(name, house_rules, **options), players)
    print(name, players, *playouts.random_deals(core, number, deals), core.rng)
"""


def run(code: str, given: str = "", *, interpreted: bool) -> str:
    """What a Python of its own prints."""
    environment = os.environ | {_compiled.INTERPRETED_VARIABLE: "1" if interpreted else "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=given,
        env=environment | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_both(code: str, given: str = "") -> list[str]:
    """What both engines print after their kinds: the same."""
    compiled, interpreted = (run(code, given, interpreted=kind).splitlines() for kind in (False, True))
    assert (compiled[0], interpreted[0]) == ("compiled", "interpreted")
    assert compiled[1:] == interpreted[1:]
    return compiled[1:]


@pytest.mark.skipif(not _compiled.is_compiled(), reason="NOT COMPARED: the engine is not compiled here")
def test_random_deals_are_the_same() -> None:
    """Actions and points of random deals, in every profile, with every number of players, and in mixes."""
    assert len(run_both(SCRIPT, json.dumps([MIXES, 20]))) == len(MIXES)


def declared() -> dict[str, int]:
    """The numbers that core.pxd gives the compiled engine: enums and C macros."""
    text = (ENGINE / "core.pxd").read_text()
    found = {name: int(value) for name, value in re.findall(r"^    ([A-Z_\d]+) = (\d+)$", text, re.MULTILINE)}
    macros = re.findall(r"^    #define ([A-Z_\d]+) (0x[\dA-F]+|\d+)ULL$", text, re.MULTILINE)
    return found | {name: int(value, 0) for name, value in macros}


def written() -> dict[str, int]:
    """The numbers that core.py gives the interpreted one: plain assignments and counted names."""
    tree = ast.parse((ENGINE / "core.py").read_text())
    branches = [
        node for node in tree.body if isinstance(node, ast.If) and "cython.compiled" in ast.unparse(node.test)
    ]
    found: dict[str, int] = {}
    for statement in (one for branch in branches for one in branch.body if isinstance(one, ast.Assign)):
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Tuple):
            assert isinstance(value, ast.Call) and ast.unparse(value) == f"range({len(target.elts)})"
            found |= {ast.unparse(name): number for number, name in enumerate(target.elts)}
        elif isinstance(value, ast.Constant) and isinstance(value.value, int):
            found[ast.unparse(target)] = value.value
    return found


def test_the_numbers_are_the_same() -> None:
    """Constants stand in core.py for the interpreter and in core.pxd for the compiler."""
    assert declared() == written()
    assert len(declared()) > 35
    assert {
        name: getattr(engine, name) for name in declared() if hasattr(engine, name)
    }.items() <= written().items()


def test_arrays_are_as_long_as_the_numbers_say() -> None:
    """The sizes of the core's arrays and the constants that bound them."""
    text = (ENGINE / "core.pxd").read_text().partition("class Core")[2]
    sizes: dict[str, int] = {}
    for size, names in re.findall(r"cdef public \w+\[(\d+)\] (.+)$", text, re.MULTILINE):
        sizes |= dict.fromkeys(names.split(", "), int(size))
    core = engine.Core()
    assert {name: len(getattr(core, name)) for name in sizes} == sizes
    seats = ("h1", "h2", "k1", "k2", "hj", "hn", "kj", "laid", "totals")
    numbers = written()
    assert {sizes[name] for name in seats} == {numbers["MAX_SEATS"]}
    assert (sizes["stock"], sizes["pile"]) == (numbers["MAX_CARDS"],) * 2
    assert (sizes["meld"], sizes["owner"]) == (numbers["MAX_MELDS"],) * 2


def test_the_arrays_are_long_enough() -> None:
    """No deck has more cards, and no table more melds, than the core has room for."""
    numbers = written()
    for name in profile_names():
        rules = rum500.ruleset(name)
        cards = max(len(rules.deck(players)) for players in rules.players)
        assert cards <= numbers["MAX_CARDS"] and cards // 3 <= numbers["MAX_MELDS"]
    most = rum500.ruleset("rummy-500", second_pack_from=2).deck(8)
    assert len(most) // 3 <= numbers["MAX_MELDS"]
