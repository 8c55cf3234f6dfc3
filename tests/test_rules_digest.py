"""The digest of a rule set: it is in every record and in the log of every table, so it may never change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rum500.record import digest
from rum500.rules.profiles import profile_names, ruleset
from tests.support import kept

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
"""Per file of tests/data/before_options: the digest of its rules, what `verify` finds, whether it is written
back byte for byte; per table of the database: profile, house rules, digest, length of the log."""


@pytest.mark.parametrize(("name", "changes", "expected"), DIGESTS)
def test_digests_are_what_they_always_were(name: str, changes: dict[str, Any], expected: str) -> None:
    assert digest(ruleset(name, **changes)) == expected


def test_every_profile_has_its_digest_here() -> None:
    assert {name for name, changes, _ in DIGESTS if not changes} == set(profile_names())


def test_kept_records_positions_and_tables_are_read(tmp_path: Path) -> None:
    found = kept.read(tmp_path)
    del found["package"]
    assert found == KEPT
