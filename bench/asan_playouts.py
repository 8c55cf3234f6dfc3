"""Random deals of every profile and house rule, which `make asan` runs under the sanitizers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress

import rum500
from rum500._compiled import engine_kind
from rum500.rules.engine import playouts
from rum500.state.core_setup import new_core

MIXES: tuple[tuple[str, ...], ...] = (
    (),
    ("H1",),
    ("H2",),
    ("H3",),
    ("H4",),
    ("H5",),
    ("H6",),
    ("H2", "H3", "H4", "H5", "H6"),
)


def games() -> Iterator[rum500.Ruleset]:
    """Yield every profile with every mix of house rules that it allows."""
    for name in rum500.profile_names():
        for mix in MIXES:
            with suppress(rum500.RulesetError):
                yield rum500.ruleset(name, house_rules=mix)


def main() -> None:
    """Play and print what was played."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{engine_kind()} engine, {deals} deals each")
    for rules in games():
        actions = sum(playouts.random_deals(new_core(rules, n), 7, deals)[0] for n in rules.players)
        print(f"{rules.name} {' '.join(rules.house_rules)}: {actions} actions")


if __name__ == "__main__":
    main()
