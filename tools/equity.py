"""Compute the chances to win a match by score, from deals of `club` against itself; writes equity.toml.

For each class of games `club` plays deals with fixed seeds. From the points of both sides, the chances are
computed backwards from the target: V(a, b) is the mean, over these deals, of V after the deal. The sides are
equal, so V(a, b) + V(b, a) = 1. The table is updated until it converges. The file is stale if another update
would change its table.
"""

from __future__ import annotations

import tomllib
from itertools import chain, pairwise
from pathlib import Path

import rum500
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.bots.match_value import FILE, STEP, STEPS, game_class
from rum500.rng import Rng
from rum500.rules.engine.core import Moves
from rum500.state.core_setup import new_core

GAMES = (
    ("500-rum", 2),
    ("500-rummy", 2),
    ("rummy-500", 2),
    ("michigan-rum", 2),
    ("partnership-500-rum", 4),
    ("partnership-500-rummy", 4),
)
SWEEPS = 12
CONVERGED = 0.0002
ROUNDED = 0.001
"""The largest change of a chance by an update that counts as none: the table has thousandths."""
Cut = tuple[int, int, int]
"""Points; the same as whole steps of the table; and the points beyond these steps."""
DEALS = 600
"""The deals of each class."""
HEAD = """# Chances to win a match by score, in thousandths, a new deal to come: the row is one's own distance
# from the target, the column the other's, in steps of {step} points. Written by tools/equity.py from {deals}
# deals of each class that `club` plays against itself; do not edit.
"""


def deals(profile: str, players: int, count: int) -> list[tuple[int, int]]:
    """Return the points of the side of seat 0 and of the other side in this many deals."""
    rules = rum500.ruleset(profile)
    core, moves, mind = new_core(rules, players), Moves(), SeatPolicies([policy(rules, players)])
    seeds, found = Rng(20_000).spawn(*profile.encode()), []
    for number in range(count):
        core.shuffle(seeds.next64())
        core.start(number % players)
        mind.playout(core, moves)
        points = [core.score(seat) for seat in range(players)]
        found.append((sum(points[::2]), sum(points[1::2])))
    return found


def table(brought: list[tuple[int, int]]) -> list[list[float]]:
    """Return the chances, from the points of single deals."""
    value = [[0.5 + 0.5 * (k - i) / STEPS for k in range(STEPS)] for i in range(STEPS)]
    for _ in range(SWEEPS):
        if update(value, brought) < CONVERGED:
            break
    return value


def update(value: list[list[float]], brought: list[tuple[int, int]]) -> float:
    """Compute each chance anew, from the chances after one more deal. Return the largest change."""
    before = [row[:] for row in value]
    cut = [((x, *divmod(x, STEP)), (y, *divmod(y, STEP))) for x, y in brought]
    for i in range(STEPS):
        for k in range(i + 1):
            chance = (mean(value, cut, i, k) + 1 - mean(value, cut, k, i)) / 2
            value[i][k], value[k][i] = chance, 1 - chance
    return max(abs(a - b) for a, b in zip(chain(*before), chain(*value), strict=True))


def mean(value: list[list[float]], cut: list[tuple[Cut, Cut]], i: int, k: int) -> float:
    """Return the mean chance after a deal, from these distances to the target."""
    total = 0.0
    for (x, steps_x, rest_x), (y, steps_y, rest_y) in cut:
        own, other = i - steps_x, k - steps_y
        if own <= 0 or other <= 0:
            ahead = x - STEP * i - (y - STEP * k)
            total += 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
            continue
        own, other = min(own, STEPS - 1), min(other, STEPS - 1)
        u, v = rest_x / STEP, rest_y / STEP
        near, far = value[own - 1], value[own]
        total += u * (v * near[other - 1] + (1 - v) * near[other])
        total += (1 - u) * (v * far[other - 1] + (1 - v) * far[other])
    return total / len(cut)


def text(count: int) -> str:
    """Return the whole file."""
    parts = [HEAD.format(step=STEP, deals=count)]
    for profile, players in GAMES:
        name = game_class(rum500.ruleset(profile), players)
        value = table(deals(profile, players, count))
        rows = [", ".join(f"{round(1000 * chance)}" for chance in row) for row in value]
        parts.append(f"{name} = [\n" + "".join(f"    [{row}],\n" for row in rows) + "]\n")
        assert all(a >= b - 0.02 for a, b in pairwise([row[25] for row in value])), "farther is worse"
    return "\n".join(parts)


def stale(count: int, path: Path) -> list[str]:
    """Return the classes whose table in the file does not follow from this many deals."""
    tables = tomllib.loads(path.read_text())
    found = []
    for profile, players in GAMES:
        name = game_class(rum500.ruleset(profile), players)
        value = [[chance / 1000 for chance in row] for row in tables.get(name, [])]
        if len(value) != STEPS or update(value, deals(profile, players, count)) > ROUNDED:
            found.append(name)
    return found


def faults() -> list[str]:
    """Return a line if the file is stale."""
    others = stale(DEALS, Path(str(FILE)))
    return [f"stale: equity.toml: {', '.join(others)} (make generate)"] if others else []


def write() -> None:
    """Write the file if it is stale."""
    if faults():
        Path(str(FILE)).write_text(text(DEALS))


if __name__ == "__main__":
    write()
