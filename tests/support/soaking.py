"""Deals with every level mixed, over all profiles, house rules and numbers of players, with what must hold.

Every choice has to be legal and made within its limit; every deal has to end; the same deals played again
may leave nothing behind in memory.
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
"""A level's bot by its name, with the budget it is to have."""
MOST_ACTIONS = 20_000
HANGS = 10.0
"""Seconds by the clock after which a choice hangs; below that its limit is in seconds of computing."""


class SoakFailure(AssertionError):
    """Something that must hold did not; the message has the deal's number and the position."""


@dataclass
class Soaked:
    """What was played: deals, choices, the choices' times in seconds by level, tables and ends met.

    Times take eight bytes each, so that what they take is not mistaken for what a bot leaves behind.
    """

    deals: int = 0
    choices: int = 0
    times: dict[str, array[float]] = field(default_factory=dict)
    tables: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, other: Soaked) -> None:
        """Count another worker's in."""
        self.deals += other.deals
        self.choices += other.choices
        for name, times in other.times.items():
            self.times.setdefault(name, array("d")).extend(times)
        self.tables += other.tables
        self.ends += other.ends


def table_of(seed: int, number: int) -> tuple[Ruleset, int, list[str]]:
    """The rules, players and levels by seat of deal `number`: the profiles in turn, the rest drawn."""
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
    """Play these deals; `SoakFailure` at the first thing that is wrong. `limit` is by level, in seconds."""
    made = {name: make(name) for name in LEVELS}
    for bot in made.values():
        # What is read from files once is nobody's time.
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
    # Other work on the same processors is not the bot's fault.
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
    """What the process holds: blocks of Python's own, and the resident set in bytes (0 where unknown)."""

    blocks: int
    resident: int

    @classmethod
    def now(cls) -> Memory:
        """Measured after a collection."""
        gc.collect()
        statm = Path("/proc/self/statm")
        pages = int(statm.read_text().split()[1]) if statm.exists() else 0
        return cls(sys.getallocatedblocks(), pages * (os.sysconf("SC_PAGE_SIZE") if pages else 0))


def left_behind(play: Callable[[], None], warm: int = 2, times: int = 3) -> Memory:
    """What `play`, done again and again the same, adds each time once caches are warm."""
    for _ in range(warm):
        play()
    before = Memory.now()
    for _ in range(times):
        play()
    after = Memory.now()
    return Memory((after.blocks - before.blocks) // times, (after.resident - before.resident) // times)
