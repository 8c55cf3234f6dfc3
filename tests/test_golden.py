"""Playthroughs written down: what is played today is what was played then, to the letter.

`python -m tests.support.golden --write` writes them anew where a rule or a choice of words has changed.
"""

from __future__ import annotations

import difflib

import pytest

from rum500.rules.options import HOUSE_RULES
from rum500.rules.profiles import profile_names
from tests.support.golden import FOLDER, GAMES, Golden, text_of


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_golden(golden: Golden) -> None:
    kept = golden.path.read_text(encoding="utf-8")
    played = text_of(golden)
    lines = difflib.unified_diff(kept.splitlines(), played.splitlines(), "kept", "played", lineterm="")
    assert played == kept, "\n".join(lines)
    assert [word for word in golden.shows if word not in kept] == []


def test_one_for_each_profile_and_each_house_rule() -> None:
    assert {golden.profile for golden in GAMES if not golden.house_rules} == set(profile_names())
    assert {rule for golden in GAMES for rule in golden.house_rules} == set(HOUSE_RULES)
    assert {path.name for path in FOLDER.iterdir()} == {golden.path.name for golden in GAMES}
