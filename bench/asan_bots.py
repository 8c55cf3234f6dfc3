"""Deals with every level mixed, over all profiles: `make asan ASAN_SCRIPT=bench/asan_bots.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import Rng, deal, ruleset
from rum500._compiled import engine_kind
from rum500.ai import sample
from rum500.ai.policy_deals import club_deals
from rum500.ai.weights import policy
from rum500.rules.profiles import profile_names
from rum500.state.core_setup import new_core
from tests.support.levels import cheap
from tests.support.soaking import Soaked, soak


def main() -> None:
    """Play and print what was played."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{engine_kind()} engine", flush=True)
    for name in profile_names():
        rules = ruleset(name)
        for players in rules.players:
            policies = [policy(rules, players, ("club", "casual")[seat % 2]) for seat in range(players)]
            club_deals(new_core(rules, players), policies, 7, 0, deals)
            state = deal(rules, players, seed=players)
            sample(state.view(state.actor), Rng(1), 20)
        print(f"{name}: {deals} deals by rule of thumb", flush=True)
    found = Soaked()
    soak(4, range(deals), cheap, lambda level: 1_000.0, found)
    print(f"{found.deals} deals of all levels mixed, {found.choices} choices", flush=True)


if __name__ == "__main__":
    main()
