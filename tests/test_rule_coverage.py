"""Every rule and decision of the rulebook is cited by a test that plays it; no test cites what is none."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.rulebook import rule_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parent
SOURCES = TESTS.parent / "src" / "rum500"
IDS = rule_ids()
ID = re.compile(r"\bR-[A-Z]+-\d+|\bD\d+[ab]?\b|\bH[1-6]\b")
RANGE = re.compile(r"\b(R-[A-Z]+-|[DH])(\d+)(?:/\d+)+|\b(R-[A-Z]+-|[DH])(\d+)(?: to |[-–])\3(\d+)")
NOT_PLAYED = {
    "test_profiles.py",
    *(path.name for stem in ("reference", "ruleset") for path in TESTS.glob(f"test_{stem}*.py")),
    Path(__file__).name,
}
"""Tests that play nothing of ours: the slow reference by itself, rule sets as data, and this page."""


def ids_in(text: str) -> set[str]:
    """The ids that a text cites, also as `R-DRAW-1 to R-DRAW-3`, `D5-D7` and `R-DRAW-2/3`."""
    found = set(ID.findall(text))
    for match in RANGE.finditer(text):
        stem = match[1] or match[3]
        numbers = re.findall(r"\d+", match[0]) if match[1] else range(int(match[4]), int(match[5]) + 1)
        found |= {f"{stem}{number}" for number in numbers}
    return found & set(IDS) if RANGE.search(text) else found


def cited(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """Each test of a file that is not skipped, with the ids in its name, docstring and parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            marks = " ".join(ast.unparse(mark) for mark in node.decorator_list)
            if not re.search(r"mark\.(skip|skipif|xfail)\b", marks):
                name = node.name.replace("_", " ").upper()
                yield node.name, ids_in(f"{ast.get_docstring(node) or ''} {marks}") | ids_in(in_name(name))


def in_name(name: str) -> str:
    """Ids as names have them: `test_r_draw_3_and_d5` cites R-DRAW-3 and D5."""
    return re.sub(r"\bR ([A-Z]+) (\d+)\b", r"R-\1-\2", name)


def citations() -> dict[str, set[tuple[str, str]]]:
    """For each id the tests that cite it, as (file, function)."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for path in sorted(TESTS.glob("test_*.py")):
        if path.name not in NOT_PLAYED:
            for name, ids in cited(ast.parse(path.read_text())):
                for rule in ids:
                    found[rule].add((path.name, name))
    return found


def collected(request: pytest.FixtureRequest) -> set[tuple[str, str]] | None:
    """The tests of this run as (file, function); None if only part of the suite was asked for."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    found = {(item.path.name, item.originalname) for item in items if not item.get_closest_marker("skip")}
    return found if {path.name for path in TESTS.glob("test_*.py")} <= {name for name, _ in found} else None


def test_every_rule_is_cited_by_a_test_that_runs(request):
    ran, found = collected(request), citations()
    missing = [rule for rule in IDS if not (found[rule] if ran is None else found[rule] & ran)]
    assert not missing, f"cited by no test: {', '.join(missing)}"


def test_no_test_or_source_cites_a_rule_that_is_none():
    files = [path for path in TESTS.glob("test_*.py") if path.name != Path(__file__).name]
    files += [path for suffix in ("py", "toml", "pxd") for path in SOURCES.rglob(f"*.{suffix}")]
    rule = re.compile(r"\bR-[A-Z]+-\d+")
    unknown = {f"{path.name}: {found}" for path in files for found in rule.findall(path.read_text())}
    assert not {entry for entry in unknown if entry.rpartition(" ")[2] not in IDS}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("R-DRAW-2 and D3a, D18.", {"R-DRAW-2", "D3a", "D18"}),
        ("R-DRAW-1 to R-DRAW-3", {"R-DRAW-1", "R-DRAW-2", "R-DRAW-3"}),
        ("D5-D7", {"D5", "D6", "D7"}),
        ("R-DRAW-2/3/4", {"R-DRAW-2", "R-DRAW-3", "R-DRAW-4"}),
        ("the 10D, QD and 3H", set()),
    ],
)
def test_ids_are_found_in_texts(text, ids):
    assert ids_in(text) == ids
