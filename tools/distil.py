"""Fit what a discard costs, by its signs, to what search says of it: `club`'s weights from look-ahead.

    .venv/bin/python tools/distil.py two-plain --decisions 6000 --worlds 40 --seed 1

The heuristic plays itself. At each discard every card is tried in the same worlds drawn from what the player
knows, and played out by the heuristic. The differences between a decision's cards are fitted by least
squares; each time of a deal has weights of its own. `tools/tune.py` goes on from there.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from tune import TABLES, mean_and_error, write

from rum500.belief import seat_core
from rum500.bots.weights import weights
from rum500.rules.engine.club import SIGNS_MEANING, TIMES, Policy, names
from rum500.rules.engine.core import DISCARD, JOKER_CARD, PHASE_OVER, PHASE_PLAY, Core, Moves
from rum500.rules.engine.play import duel
from rum500.rules.ruleset import ruleset
from rum500.state._setup import new_core
from rum500.view import view_of

Sample = tuple[int, list[list[int]], list[float]]
"""The time, each card's measures, what each card's discard brings."""


def worth(core: Core, seat: int) -> float:
    """A deal's end in points for a seat: its own, or its side's, less the others' on average."""
    own = [other for other in range(core.n) if other == seat or (core.sides == 2 and (other ^ seat) & 1 == 0)]
    others = [other for other in range(core.n) if other not in own]
    mine, theirs = (sum(core.score(other) for other in group) for group in (own, others))
    return mine - theirs * len(own) / len(others)


def samples(name: str, policy: Policy, options: argparse.Namespace) -> Iterator[Sample]:
    """Discards of the heuristic's own play, searched."""
    chance = random.Random(f"{name} {options.seed} discards")
    moves, child = Moves(), Core()
    found = 0
    while found < options.decisions:
        profile, players = chance.choice(TABLES[name])
        rules = ruleset(profile)
        core = new_core(rules, players)
        core.shuffle(chance.getrandbits(60))
        core.start(chance.randrange(players))
        while core.phase != PHASE_OVER:
            code = policy.choice(core)
            if core.phase == PHASE_PLAY and code & 15 == DISCARD and code >> 4 != JOKER_CARD:
                time, cards = policy.signs(core)
                if len(cards) > 1 and chance.random() < options.share:
                    seat = core.actor
                    totals = [0.0] * len(cards)
                    worlds = seat_core(view_of(core, rules, seat)).worlds()
                    for _ in range(options.worlds):
                        world = worlds.world(chance.getrandbits(60))
                        for i, (card, _) in enumerate(cards):
                            child.copy_from(world)
                            child.apply(DISCARD | card << 4, moves)
                            policy.playout(child, moves)
                            totals[i] += worth(child, seat)
                    found += 1
                    yield time, [signs for _, signs in cards], [total / options.worlds for total in totals]
            core.apply(code, moves)


def fitted(decisions: list[Sample], time: int, before: list[float], firm: float) -> list[float]:
    """The weights of one time, in 1/64 of a point: least squares, held to those before by `firm`."""
    size = 2 * len(SIGNS_MEANING)
    square = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for when, cards, values in decisions:
        if when != time:
            continue
        means = [sum(column) / len(cards) for column in zip(*cards, strict=True)]
        average = sum(values) / len(values)
        for signs, value in zip(cards, values, strict=True):
            row = [sign - mean for sign, mean in zip(signs, means, strict=True)]
            gone = [(i, x) for i, x in enumerate(row) if x]
            for i, x in gone:
                right[i] += x * 64 * (average - value)
                for j, y in gone:
                    square[i][j] += x * y
    for i in range(size):
        pull = firm * max(1.0, square[i][i]) / max(1, len(decisions))
        square[i][i] += pull
        right[i] += pull * before[i]
    return solved(square, right)


def solved(square: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a system of linear equations, positive definite."""
    size = len(right)
    for i in range(size):
        for j in range(i + 1, size):
            factor = square[j][i] / square[i][i]
            right[j] -= factor * right[i]
            for k in range(i, size):
                square[j][k] -= factor * square[i][k]
    for i in range(size - 1, -1, -1):
        right[i] = (right[i] - sum(square[i][k] * right[k] for k in range(i + 1, size))) / square[i][i]
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classes", nargs="*", help="classes of game; all if none is named")
    parser.add_argument("--decisions", type=int, default=6000)
    parser.add_argument("--worlds", type=int, default=40)
    parser.add_argument("--share", type=float, default=0.5, help="share of the discards that are searched")
    parser.add_argument("--firm", type=float, default=20, help="decisions that the weights before count for")
    parser.add_argument("--start", help="start from this class's weights, and not from its own of now")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=20_000, help="deals of the measurement at the end")
    options = parser.parse_args()
    for name in options.classes or TABLES:
        best = list(weights(options.start or name))
        start = Policy(best)
        decisions = list(samples(name, Policy(best), options))
        width = 2 * len(SIGNS_MEANING)
        for time in range(len(TIMES)):
            place = names().index(f"{TIMES[time]}_card") + 0
            before = [float(weight) for weight in best[place : place + width]]
            best[place : place + width] = [
                max(-4000, min(4000, round(weight)))
                for weight in fitted(decisions, time, before, options.firm)
            ]
        margins = []
        for profile, players in TABLES[name]:
            core = new_core(ruleset(profile), players)
            margins += duel(core, Policy(best), start, options.seed << 20, options.deals)
        mean, error = mean_and_error([float(margin) for margin in margins])
        print(
            f"{name}: fitted on {len(decisions)} discards; a deal better by {mean:.1f} ± {error:.1f}",
            flush=True,
        )
        if mean < 2 * error:
            continue
        made = (
            f"tools/distil.py {name} --decisions {options.decisions} --worlds {options.worlds} "
            f"--share {options.share} --firm {options.firm} --seed {options.seed}"
        )
        write(name, best, made, options.deals)
    return 0


if __name__ == "__main__":
    sys.exit(main())
