"""The decisions of bots in many deals, as a hash: equal wherever the same rules and the same bots run."""

from __future__ import annotations

import hashlib

import rum500
from rum500.local.executor import local_levels
from rum500.rng import Rng
from rum500.server.thinking.executor import choice


def decisions(deals: int) -> str:
    """Return the number of decisions and their hash: deals of all profiles, all levels that play in place."""
    profiles, levels = rum500.profile_names(), local_levels()
    found, count = hashlib.sha256(), 0
    for number in range(deals):
        rules = rum500.ruleset(profiles[number % len(profiles)])
        state = rum500.deal(rules, players=rules.players[number % len(rules.players)], seed=number)
        chance = Rng(number)
        while not state.is_over:
            play = choice(levels[(number + count) % len(levels)], state.view(state.actor), chance)
            found.update(f"{state.actor} {play} {len(state.legal_ints())}\n".encode())
            state.apply_int(play)
            count += 1
        found.update(f"{state.scores()}\n".encode())
    return f"{count} {found.hexdigest()}"
