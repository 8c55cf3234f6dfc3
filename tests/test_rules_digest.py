"""The digest of a rule set: it is in every record and in the log of every table, so it may never change."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rum500
from rum500.record import digest
from rum500.rules.profiles import profile_names, ruleset
from tests.support import kept

ROOT = Path(__file__).resolve().parent.parent
DIGESTS: list[tuple[str, dict[str, Any], str]] = [
    ("500-rum", {}, "6fc693eb07b4db00"),
    ("500-rummy", {}, "7c6b57b24a0e0ea4"),
    ("michigan-rum", {}, "ec7b4ad3a0f060f5"),
    ("partnership-500-rum", {}, "5fa6e9565dc46f30"),
    ("partnership-500-rummy", {}, "572469dad92e2b31"),
    ("persian-rummy", {}, "f4908aa7eb9bf746"),
    ("persian-rummy-fosdick", {}, "abbf7db3f3bbb1f1"),
    ("persian-rummy-gamerules", {}, "a828308b8a78c466"),
    ("rummy-500", {}, "f936599ceaf6f5c5"),
    ("rummy-500", {"house_rules": ("H1",)}, "8d91b095872d44e1"),
    ("rummy-500", {"house_rules": ("H2", "H3", "H4", "H5", "H6")}, "f40453e4c9308c84"),
    ("michigan-rum", {"house_rules": ("H5",), "variations": ("jokers-2",)}, "e1fc018d368914ff"),
    ("500-rum", {"house_rules": ("H2", "H6"), "target": 300}, "fe8d92c6642c5205"),
]
KEPT = {
    "500-rum-h2-h6.rum500": ["ef7c15684981cb9a", [], True],
    "michigan-rum-jokers-h5.rum500": ["e1fc018d368914ff", [], True],
    "own-toml.rum500": ["ffd2a2ac8f37d6e0", [], True],
    "persian-rummy.rum500": ["f4908aa7eb9bf746", [], True],
    "rummy-500-h1-h3.rum500": ["34a77205e5ebe435", [], True],
    "own-toml.position": ["ffd2a2ac8f37d6e0", True],
    "rummy-500-h1-h3.position": ["34a77205e5ebe435", True],
    "tables.sqlite": [
        ["500-rum", ["H2", "H6"], "fe8d92c6642c5205", 23],
        ["rummy-500", ["H1", "H3"], "6a31d18aa3380bcb", 24],
        ["persian-rummy", [], "2c679ddb8464a524", 23],
        ["michigan-rum", ["H5"], "a920daf378b5fbb3", 2],
    ],
}
"""Per file of tests/data/before_options: the digest of its rules, what `verify` finds, whether it is
written back apart from comments of options; per table of the database:
profile, house rules, digest, log's length.
"""


@pytest.mark.parametrize(("name", "changes", "expected"), DIGESTS)
def test_digests_are_what_they_always_were(name: str, changes: dict[str, Any], expected: str) -> None:
    assert digest(ruleset(name, **changes)) == expected


def test_every_profile_has_its_digest_here() -> None:
    assert {name for name, changes, _ in DIGESTS if not changes} == set(profile_names())


def test_kept_records_positions_and_tables_are_read(tmp_path: Path) -> None:
    found = kept.read(tmp_path)
    del found["package"]
    assert found == KEPT


ADDED = '''    made_up: bool = option("Melds", "R-MELD-1", "an option of this test", neutral=False)
    """Whether anything is made up."""

    top_must_meld:'''
PROBE = """
from rum500.record import digest
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
usual, changed = ruleset("500-rum"), ruleset("500-rum", made_up=True)
print(digest(usual), digest(changed) == digest(usual))
print("made_up" in usual.to_toml(), "made_up = true" in changed.to_toml(), usual.made_up)
print(Ruleset.from_toml(usual.to_toml()) == usual, Ruleset.from_toml(changed.to_toml()) == changed)
"""


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with a copy of the package to which an option was added in the middle of the others."""
    package = tmp_path / "copy" / "rum500"
    ignored = shutil.ignore_patterns("page", "page.old", "__pycache__", "*.c")
    shutil.copytree(Path(rum500.__file__).parent, package, ignore=ignored)
    options = package / "rules" / "options.py"
    text = options.read_text(encoding="utf-8")
    assert text.count("    top_must_meld:") == 1
    options.write_text(text.replace("    top_must_meld:", ADDED), encoding="utf-8")
    return package.parent


def run(added: Path, *arguments: str) -> str:
    """Run Python with the copy of the package; what it prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(added), str(ROOT)))}
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_added_option_leaves_kept_records_positions_and_tables_valid(added: Path, tmp_path: Path) -> None:
    found = json.loads(run(added, "-m", "tests.support.kept", str(tmp_path)))
    assert found.pop("package") == str(added / "rum500")
    assert found == KEPT


def test_an_added_option_counts_where_it_is_not_neutral(added: Path) -> None:
    assert run(added, "-c", PROBE).splitlines() == [
        "6fc693eb07b4db00 False",
        "False True False",
        "True True",
    ]
