"""Fit the factors of luck and measure the levels' play value, game by game; writes luck_factors.toml.

Bots of a random kind in each seat play deals with fixed seeds. A game has two factors, one for the luck of
the deal and one for the luck of the draws. From each margin both kinds of luck, times their factors, are
subtracted; the factors are those with which the results vary least over all deals and seats. Then each level
plays deals in every seat in turn among `club`, and the mean of the level's play value is stored.

    python -m tools.luck_factors [--deals 60] [--games 500-rum-2 ...] [--workers 2]

Each game is measured by itself, so the file depends on `--deals` only. A game that is not named keeps its
entry. `make check` plays nothing: it fails if the file does not have exactly the games and levels that this
tool measures, in the same form.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import rum500
from rum500.bots import Bot, rng_for
from rum500.bots.policy_bots import Club
from rum500.intervals import error_of_mean
from rum500.record import DealRecorder, Record
from rum500.review.luck import luck_of_deal
from rum500.review.luck_factors import FILE, game_name
from rum500.review.play_value import play_of_deal
from rum500.review.played_deal import KINDS, PlayedDeal, margins
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset
from rum500.sim.deals import Seated, seat_bot

GAMES = (
    ("500-rum", 2),
    ("500-rum", 3),
    ("500-rum", 6),
    ("500-rummy", 2),
    ("500-rummy", 6),
    ("michigan-rum", 2),
    ("partnership-500-rum", 4),
    ("partnership-500-rummy", 4),
    ("persian-rummy", 4),
    ("persian-rummy-fosdick", 4),
    ("persian-rummy-gamerules", 4),
    ("rummy-500", 2),
)
MIXED = ("club", "casual", "greedy")
"""The kinds of bots that are chosen at random for the seats."""
LEVELS = {"random": 0.5, "greedy": 10.0, "casual": 20.0, "strong:worlds=128": 3.0}
"""The levels that are measured, each with its deals for one deal of the factors; `club` has play value 0."""
WORLDS = 128
"""The worlds of a decision here. More would add little, because the spread between deals is larger."""
STREAM = 0x6C75636B
HEAD = """# Factors of the luck of the deal and of the draws, and the levels' play value in points a deal with
# its standard error, by game and number of players. Written by tools/luck_factors.py from deals with
# fixed seeds; do not edit.
"""


def played(rules: Ruleset, bots: Sequence[Seated], seed: int, dealer: int) -> PlayedDeal:
    """Return a deal that these bots play, by seat, as a review sees it."""
    players = len(bots)
    record, deck = Record(rules, players), rules.deck(players)
    Rng(seed).shuffle(deck)
    recorder = DealRecorder(record, deck, dealer, (), seed)
    state, chances = recorder.state, [rng_for(seed, seat) for seat in range(players)]
    while not state.is_over:
        seat = state.actor
        bot = bots[seat]
        assert isinstance(bot, Bot)
        club = bot.policy(rules, players) if isinstance(bot, Club) else None  # it needs no view
        recorder.apply(club.choice(state.core) if club else bot.choose(state.view(seat), chances[seat]))
    return PlayedDeal.of(record, 1)


def fitted(profile: str, players: int, deals: int) -> tuple[float, ...]:
    """Return the factors of the deal and of the draws, from 0 to 1."""
    rules, stream = rum500.ruleset(profile), Rng(STREAM).spawn(*game_name(profile, players).encode())
    bots = {name: seat_bot(name) for name in MIXED}
    tables = [[MIXED[stream.below(len(MIXED))] for _ in range(players)] for _ in range(deals)]
    found = [
        played(rules, [bots[name] for name in table], stream.next64(), number % players)
        for number, table in enumerate(tables)
    ]
    rows = []
    for deal, kinds in zip(found, kinds_of_bots(found, tables), strict=True):
        luck = luck_of_deal(deal, kinds)
        result = margins(deal.final.scores(), rules)
        for seat in range(players):
            drawn = sum(float(draw.gains[seat]) for draw in luck.draws)
            rows.append((float(result[seat] - luck.mean[seat]), float(luck.dealt[seat]), drawn))
    return tuple(min(1.0, max(0.0, factor)) for factor in least_squares(rows))


def kinds_of_bots(deals: Sequence[PlayedDeal], tables: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return, by deal and seat, which kind of player the bot resembles in all other deals.

    `tables` are the bots' names by deal and seat. See `kinds_elsewhere`.
    """
    leads = [Counter[str]() for _ in deals]
    for lead, deal, table in zip(leads, deals, tables, strict=True):
        for name, more in zip(table, deal.kinds(), strict=True):
            lead[name] += more
    whole = {name: sum(lead[name] for lead in leads) for table in tables for name in table}
    return [
        tuple(KINDS[whole[name] - lead[name] > 0] for name in table)
        for lead, table in zip(leads, tables, strict=True)
    ]


def least_squares(rows: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return two factors: the second and third numbers of the rows, times these, best explain the first."""
    xx, yy = sum(x * x for _, x, _ in rows), sum(y * y for _, _, y in rows)
    xy = sum(x * y for _, x, y in rows)
    mx, my = sum(m * x for m, x, _ in rows), sum(m * y for m, _, y in rows)
    scale = xx * yy - xy * xy
    return round((mx * yy - my * xy) / scale, 2), round((my * xx - mx * xy) / scale, 2)


def level_value(profile: str, players: int, level: str, deals: int) -> tuple[float, float]:
    """Return the mean play value of a level among `club`, in points a deal, and its standard error."""
    rules, own, club = rum500.ruleset(profile), seat_bot(level), seat_bot("club")
    stream, values = Rng(STREAM).spawn(*level.encode(), *game_name(profile, players).encode()), []
    for number in range(deals):
        seat = number % players
        bots = [own if other == seat else club for other in range(players)]
        found = played(rules, bots, stream.next64(), number // players % players)
        values.append(float(play_of_deal(found, worlds=WORLDS).gain(seat, seat)))
    return round(sum(values) / deals, 1), round(error_of_mean(values), 1)


def measured(profile: str, players: int, deals: int) -> dict[str, Any]:
    """Return the entry of a game."""
    deal, draws = fitted(profile, players, deals)
    levels = {
        level.partition(":")[0]: level_value(profile, players, level, max(10, round(share * deals)))
        for level, share in LEVELS.items()
    }
    return {"deal": deal, "draws": draws, "levels": levels | {"club": (0.0, 0.0)}}


def text(table: dict[str, dict[str, Any]]) -> str:
    """Return the whole file."""
    parts = [HEAD]
    for profile, players in GAMES:
        name = game_name(profile, players)
        if name in table:
            entry = table[name]
            levels = ", ".join(f"{level} = {[*value]}" for level, value in entry["levels"].items())
            parts.append(
                f"[{name}]\ndeal = {entry['deal']}\ndraws = {entry['draws']}\nlevels = {{ {levels} }}\n"
            )
    return "\n".join(parts)


def differences(written: str) -> list[str]:
    """Return what is wrong with the file, without playing a deal."""
    table = tomllib.loads(written)
    missing = [game_name(*game) for game in GAMES if game_name(*game) not in table]
    if missing:
        return [f"it lacks {', '.join(missing)}"]
    names = {level.partition(":")[0] for level in LEVELS} | {"club"}
    found = [f"{game} has other levels" for game, entry in table.items() if set(entry["levels"]) != names]
    return found or ([] if text(table) == written else ["it is not in the form that the tool writes"])


def faults() -> list[str]:
    """Return what is wrong with the file in its place."""
    found = differences(Path(str(FILE)).read_text())
    return [f"luck_factors.toml: {each} (python -m tools.luck_factors)" for each in found]


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--deals", type=int, default=60, help="deals of each game for its factors")
    options.add_argument("--games", nargs="*", help="only these games, such as 500-rum-2")
    options.add_argument("--workers", type=int, default=2, help="processes; the file does not depend on them")
    chosen = options.parse_args()
    path = Path(str(FILE))
    table = tomllib.loads(path.read_text())
    asked = [game for game in GAMES if not chosen.games or game_name(*game) in chosen.games]
    with ProcessPoolExecutor(chosen.workers) as pool:
        running = {pool.submit(measured, *game, chosen.deals): game_name(*game) for game in asked}
        for done in as_completed(running):
            table[running[done]] = done.result()
            path.write_text(text(table))
            print(running[done], table[running[done]], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
