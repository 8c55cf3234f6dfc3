"""Deals with every level mixed, over all profiles, house rules and numbers of players, and checks of each.

Every choice must be legal and made within its limit; every deal must end; playing the same deals again must
not use more memory.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rum500 import Ruleset, State, deal
from rum500.bots import Bot, rng_for
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from tests.support.levels import LEVELS

Make = Callable[[str], Bot]
"""A function that makes a level's bot from its name, with a budget."""
MOST_ACTIONS = 20_000
HANGS = 10.0
"""After this many seconds a choice hangs; shorter ones have a limit in seconds of processor time."""


class SoakFailure(AssertionError):
    """A check failed; the message has the deal's number and the position."""


@dataclass
class Soaked:
    """What was played: deals, choices, the choices' times in seconds by level, the tables and the ends that
    occurred.

    Times take eight bytes each, so that they are not mistaken for memory that a bot does not release.
    """

    deals: int = 0
    choices: int = 0
    times: dict[str, array[float]] = field(default_factory=dict)
    tables: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, other: Soaked) -> None:
        """Add the numbers of another worker."""
        self.deals += other.deals
        self.choices += other.choices
        for name, times in other.times.items():
            self.times.setdefault(name, array("d")).extend(times)
        self.tables += other.tables
        self.ends += other.ends


def table_of(seed: int, number: int) -> tuple[Ruleset, int, list[str]]:
    """Return the rules, players and levels by seat of a deal: the profiles in turn, the rest at random."""
    rng_for = Rng(seed).spawn(number)
    names = profile_names()
    rules = ruleset(names[number % len(names)])
    ids = [*HOUSE_RULES]
    rng_for.shuffle(ids)
    for house_rule in ids[: rng_for.below(4)]:
        try:
            rules = rules.with_house_rules(house_rule)
        except RulesetError:
            continue
    players = rules.players[rng_for.below(len(rules.players))]
    return rules, players, [LEVELS[rng_for.below(len(LEVELS))] for _ in range(players)]


def soak(seed: int, numbers: Iterable[int], make: Make, limit: Callable[[str], float], found: Soaked) -> None:
    """Play these deals. Raises `SoakFailure` at the first fault. `limit` returns a level's seconds."""
    made = {name: make(name) for name in LEVELS}
    for bot in made.values():
        # Read files that are read only once before the time is measured.
        bot.choose(deal(ruleset("500-rum"), 2, seed=seed).view(1), Rng(seed))
    for number in numbers:
        rules, players, levels = table_of(seed, number)
        dealt = Rng(seed).spawn(number, 1).next64()
        state = deal(rules, players, seed=dealt, dealer=number % players)
        chances = [rng_for(dealt, seat) for seat in range(players)]
        for _ in range(MOST_ACTIONS):
            if state.is_over:
                break
            level = levels[state.actor]
            _choose(state, made[level], level, chances[state.actor], limit(level), found, number)
        else:
            raise SoakFailure(f"deal {number} goes on for ever\n{state.to_text()}")
        assert state.result is not None
        found.deals += 1
        found.tables[f"{rules.name} {' '.join(rules.house_rules)} {players}"] += 1
        found.ends[state.result.reason] += 1


def _choose(
    state: State, bot: Bot, level: str, rng_for: Rng, limit: float, found: Soaked, number: int
) -> None:
    view = state.view(state.actor)
    began, worked = time.perf_counter(), time.process_time()
    chosen = bot.choose(view, rng_for)
    # Other work on the same processors must not count against the bot.
    passed, took = time.perf_counter() - began, time.process_time() - worked
    code = code_of(chosen)
    if code not in view.legal:
        raise SoakFailure(f"deal {number}: {level} played {chosen}, which is not legal\n{state.to_text()}")
    if took > limit or passed > max(limit, HANGS):
        late = f"took {took:.3f} s of {limit:.3f} s ({passed:.3f} by the clock)"
        raise SoakFailure(f"deal {number}: {level} {late}\n{state.to_text()}")
    found.choices += 1
    found.times.setdefault(level, array("d")).append(took)
    state.apply_int(code)


@dataclass(frozen=True)
class Memory:
    """The memory of the process: Python's own blocks, and the resident set in bytes (0 if unknown)."""

    blocks: int
    resident: int

    @classmethod
    def now(cls) -> Memory:
        """Return the memory after a garbage collection."""
        gc.collect()
        statm = Path("/proc/self/statm")
        pages = int(statm.read_text().split()[1]) if statm.exists() else 0
        return cls(sys.getallocatedblocks(), pages * (os.sysconf("SC_PAGE_SIZE") if pages else 0))


def left_behind(play: Callable[[], None], warm: int = 2, times: int = 3) -> Memory:
    """Return by how much memory grows each time that `play` is repeated, once caches are filled."""
    for _ in range(warm):
        play()
    before = Memory.now()
    for _ in range(times):
        play()
    after = Memory.now()
    return Memory((after.blocks - before.blocks) // times, (after.resident - before.resident) // times)
