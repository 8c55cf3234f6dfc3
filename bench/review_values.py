"""Measure whether play value and luck are what they claim to be.

Three tables. Luck: over deals of `club` and of other bots in two-player games, the mean of all luck, which
should be 0, and the standard deviation of the margin with and without it. Levels: the play value that
`luck_factors.toml` has for each level and game (`tools/luck_factors.py` measured it), compared with the
arena's difference to `club` in docs/ladder.json. Cost: processor time of play value and luck for a deal.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import ruleset
from rum500.intervals import error_of_mean
from rum500.review.breakdown import breakdown_of_deal
from rum500.review.company import company
from rum500.review.luck import mean_margins
from rum500.review.luck_factors import luck_factors
from rum500.rng import Rng
from rum500.sim.deals import seat_bot
from tools.luck_factors import kinds_of_bots, played

LADDER = Path(__file__).resolve().parent.parent / "docs" / "ladder.json"
TABLES = (("casual", "club"), ("club", "club"), ("greedy", "club"), ("strong:worlds=128", "club"))
ORDER = ("random", "greedy", "casual", "club", "strong")
GAMES_TO_AGREE = (
    ("500-rum", 2),
    ("500-rummy", 2),
    ("michigan-rum", 2),
    ("rummy-500", 2),
    ("partnership-500-rum", 4),
)
"""The five games in which play values and the arena should agree."""


@dataclass(frozen=True, slots=True)
class LuckRow:
    """The luck of a deal for the first of two bots."""

    margin: float
    luck: float
    """The luck of the deal and of all draws, times the factors."""
    unexplained: float
    seconds: float
    """Processor time of the breakdown."""


def luck_rows(profile: str, bots: Sequence[str], deals: int, seed: int) -> list[LuckRow]:
    """Return the deals of two bots, who exchange their seats; dealers alternate."""
    rules, stream = ruleset(profile), Rng(seed).spawn(*"".join(bots).encode())
    tables = [bots if number // 2 % 2 == 0 else bots[::-1] for number in range(deals)]
    found = [
        played(rules, [seat_bot(bot) for bot in table], stream.next64(), number % 2)
        for number, table in enumerate(tables)
    ]
    kinds = kinds_of_bots(found, tables)
    for kind in set(kinds):
        mean_margins(rules, kind, (0, 0), 0)  # once in a process
        mean_margins(rules, kind, (0, 0), 1)
    rows = []
    for number, deal in enumerate(found):
        start = time.process_time()
        breakdown = breakdown_of_deal(deal, company(kinds[number], (), rules, 2))
        seconds = time.process_time() - start
        seat = breakdown.seats[own := number // 2 % 2]
        luck = seat.cards - breakdown.luck.place[own]
        rows.append(LuckRow(float(seat.margin), float(luck), float(seat.unexplained), seconds))
    return rows


def luck_table(profile: str, club: int, mixed: int, seed: int) -> None:
    """Print the table of luck in a game."""
    print(f"\n{profile}, two players\n")
    print(
        "| bots | deals | mean luck | SD of margin | less luck | less luck and play | ratio | CPU s a deal |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for bots in TABLES:
        slow = bots[0].startswith("strong")
        deals = club if bots == ("club", "club") else max(20, mixed // 4) if slow else mixed
        rows = luck_rows(profile, bots, deals, seed)
        margins, luck = [row.margin for row in rows], [row.luck for row in rows]
        less = [row.margin - row.luck for row in rows]
        rest = [row.unexplained for row in rows]
        print(
            f"| {bots[0]}, {bots[1]} | {deals} | {mean(luck):+.2f} ± {error_of_mean(luck):.2f} "
            f"| {stdev(margins):.1f} | {stdev(less):.1f} | {stdev(rest):.1f} "
            f"| {stdev(less) / stdev(margins):.2f} | {mean(row.seconds for row in rows):.3f} |",
            flush=True,
        )


def arena_values(game: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Return each level's points a deal against `club` in the arena, with the standard error."""
    found = {"club": (0.0, 0.0)}
    for contest in game["contests"]:
        a, b = (contest[key].partition(":")[0] for key in ("a", "b"))
        if "club" in (a, b):
            low, high = contest["interval"]
            sign = 1 if b == "club" else -1
            found[a if b == "club" else b] = (sign * contest["points_a_deal"], (high - low) / 3.92)
    return found


def level_table() -> None:
    """Print the play values of the levels and the arena's differences."""
    print("\nLevels: play value / arena's difference to club, points a deal, with standard errors\n")
    print("| game | " + " | ".join(level for level in ORDER if level != "club") + " | order |")
    print("|---|" + "---|" * len(ORDER))
    apart = []
    for game in json.loads(LADDER.read_text())["games"]:
        rules, players = ruleset(game["profile"]), game["players"]
        factors, arena = luck_factors(rules, players), arena_values(game)
        if factors.source != f"{game['profile']}-{players}":
            print(f"| {game['profile']}, {players} | not measured |")
            continue
        both = 2 if rules.sides else 1  # a side in the arena is two such players
        ours = {level: (both * value, both * error) for level, (value, error) in factors.levels.items()}
        cells = []
        for level in ORDER:
            if level != "club":
                (value, error), (true, its) = ours[level], arena[level]
                z = (value - true) / sqrt(error**2 + its**2)
                cells.append(f"{value:+.1f} ± {error:.1f} / {true:+.1f} ± {its:.1f} (z {z:+.1f})")
                if (game["profile"], players) in GAMES_TO_AGREE and abs(z) > 2:
                    apart.append(f"{level} in {game['profile']}: z {z:+.1f}")
        print(f"| {game['profile']}, {players} | " + " | ".join(cells) + f" | {order(ours, arena)} |")
    print("\nApart by more than two standard errors in the five games:", ", ".join(apart) or "none")


def order(ours: dict[str, tuple[float, float]], arena: dict[str, tuple[float, float]]) -> str:
    """Return that the levels are in the arena's order, or which pairs are not."""
    wrong = []
    for i, a in enumerate(ORDER):
        for b in ORDER[i + 1 :]:
            gap, true = ours[b][0] - ours[a][0], arena[b][0] - arena[a][0]
            if gap * true < 0:
                z = abs(gap) / sqrt(ours[a][1] ** 2 + ours[b][1] ** 2)
                its = abs(true) / sqrt(arena[a][1] ** 2 + arena[b][1] ** 2)
                wrong.append(f"{a}/{b} turned (z {z:.1f}; arena {its:.1f})")
    return ", ".join(wrong) or "the same"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=2000, help="deals of club against itself")
    parser.add_argument(
        "--mixed", type=int, default=300, help="deals of other bots; a quarter where they search"
    )
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument(
        "--games", nargs="*", default=["500-rum"], help="two-player games for the table of luck"
    )
    given = parser.parse_args()
    level_table()
    for profile in given.games:
        luck_table(profile, given.deals, given.mixed, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
