"""A hundred deals of tools/soak_bots.py, with levels mixed: no illegal or late choice, no memory leak."""

from __future__ import annotations

from collections import Counter
from math import inf

import pytest

from rum500 import View, bots
from rum500.rng import Rng
from rum500.rules.profiles import profile_names
from tests.support.levels import LEVELS, cheap
from tests.support.soaking import Soaked, SoakFailure, left_behind, soak

pytestmark = pytest.mark.compiled

SEED = 4
LATE = inf
"""Seconds for a choice: `make soak-bots` limits them, where nothing else keeps the machine busy."""


def late(level: str) -> float:
    return LATE


@pytest.mark.whole
def test_a_hundred_deals_with_every_level_mixed() -> None:
    found = Soaked()
    soak(SEED, range(100), cheap, late, found)
    assert found.deals == 100 and len(found.tables) > 50
    assert set(found.times) == set(LEVELS)
    profiles = Counter(table.split()[0] for table in found.tables)
    assert set(profiles) == set(profile_names()) and min(profiles.values()) >= 3
    assert {"out", "stock"} <= set(found.ends)


def test_a_leak_is_noticed() -> None:
    """One number kept for each choice is not."""
    kept = []

    class Hoarder(type(bots.get("random"))):  # type: ignore[misc]
        def choose(self, view: View, rng: Rng) -> int:
            kept.append(view)
            return super().choose(view, rng)  # type: ignore[no-any-return]

    more = left_behind(lambda: soak(SEED, range(9), lambda name: Hoarder(), late, Soaked()))
    assert more.blocks > 1000


class Slow:
    """Plays right."""

    name = "slow"

    def choose(self, view: View, rng: Rng) -> int:
        return view.legal[0]


class Wrong:
    """Passes, where nobody may."""

    name = "wrong"

    def choose(self, view: View, rng: Rng) -> int:
        return 1


@pytest.mark.parametrize(("bot", "limit", "shown"), [(Slow, -1.0, "took"), (Wrong, LATE, "not legal")])
def test_late_or_illegal_choice_is_reported(bot: type, limit: float, shown: str) -> None:
    with pytest.raises(SoakFailure, match=f"(?s)deal 0: .*{shown}.*rum500 position"):
        soak(SEED, [0], lambda name: bot(), lambda level: limit, Soaked())
