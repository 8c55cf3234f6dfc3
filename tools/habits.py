"""Measure habits of the levels that people at the table notice: what they throw, and what they never lay.

    python -m tools.habits [--levels casual,club] [--tables 500-rum/2,500-rum/4] [--against LEVEL]

Each level plays deals against itself, or in one seat against another level. Counted are its discards, except
those that go out:

* **throws**: the card could have been laid at once, in a meld or a lay-off;
* **breaks**: with at most four cards in the stock and at least 15 points ready to be laid at the beginning of
  the turn, the discard breaks up melds, so that 15 points fewer are ready after it;
* **keeps**: in these turns, 15 ready points or more stay in hand;
* **strands**: points in hand at the deal's end that could have been laid on the final table, a deal and seat.

The first three are shares in per cent, with the number of turns; the last is a mean with its 95 % interval.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product

from rum500 import bots, deal, ruleset
from rum500.bots.hand_analysis import HandAnalysis
from rum500.bots.protocol import rng_for
from rum500.cards import JOKER
from rum500.rules.action_codes import action_kind, code_of, discarded_card, lays_cards, play_counts
from rum500.rules.actions import ActionKind
from rum500.view import View

LEVELS = ("greedy", "casual", "club")
TABLES = (
    *("500-rum/2", "rummy-500/2", "michigan-rum/2", "500-rum/3", "500-rum/4", "rummy-500/4"),
    *("partnership-500-rum/4", "persian-rummy/4", "500-rum/6", "rummy-500/6"),
)
FEW, MUCH = 4, 15
"""The most cards in the stock that count as few, and the least points ready to be laid that count as much."""


@dataclass(slots=True)
class Habits:
    """What was counted of one level at one table."""

    discards: int = 0
    throws: int = 0
    late: int = 0
    """The turns with few cards in the stock and many points ready."""
    breaks: int = 0
    keeps: int = 0
    stranded: list[int] = field(default_factory=list)
    """Points, one figure for each deal and seat."""

    def discard(self, view: View, card: int, begun: int) -> None:
        """Count a discard in a turn that began with so many points ready."""
        self.discards += 1
        self.throws += any(lays_cards(code) and lays(code, card) for code in view.legal)
        if begun >= MUCH:
            left = list[int](view.hand)
            left.remove(card)
            after = ready(view, left)
            self.late += 1
            self.breaks += ready(view, view.hand) - after >= MUCH
            self.keeps += after >= MUCH

    def row(self, *names: str) -> str:
        """Return a line of the table."""
        mean = sum(self.stranded) / len(self.stranded)
        spread = sum((points - mean) ** 2 for points in self.stranded)
        half = 1.96 * math.sqrt(spread) / len(self.stranded)
        cells = (
            *names,
            f"{100 * self.throws / self.discards:.1f} % of {self.discards:,}",
            *(f"{100 * each / max(1, self.late):.0f} %" for each in (self.breaks, self.keeps)),
            f"{self.late:,}",
            f"{mean:.1f} ± {half:.1f}",
        )
        return f"| {' | '.join(cells)} |"


def lays(code: int, card: int) -> bool:
    """Return whether a play lays this card, or its twin."""
    cards, _, jokers = play_counts(code)
    return jokers > 0 if card == JOKER else bool(cards >> card & 1)


def ready(view: View, hand: Sequence[int]) -> int:
    """Return the most points that this hand could lay now."""
    reading = HandAnalysis(view)
    return reading.plan(reading.groups(hand))[0]


def watched(level: str, against: str, table: str, deals: int, seed: int) -> Habits:
    """Return the habits of a level in so many deals: in all seats if against itself, otherwise in one."""
    profile, _, players = table.partition("/")
    rules, found = ruleset(profile), Habits()
    mine, other = bots.get(level), bots.get(against)
    for number in range(deals):
        seed_of_deal = rng_for(seed, number).next64()
        state = deal(rules, int(players), seed_of_deal, number % int(players))
        own = range(int(players)) if level == against else [number // int(players) % int(players)]
        chances = [rng_for(seed_of_deal, seat) for seat in range(int(players))]
        begun = 0
        while not state.is_over:
            seat, view = state.actor, state.view(state.actor)
            code = code_of((mine if seat in own else other).choose(view, chances[seat]))
            kind = action_kind(code)
            if kind is ActionKind.DISCARD and seat in own and len(view.hand) > 1:
                found.discard(view, discarded_card(code), begun)
            state.apply_int(code)
            if kind in (ActionKind.DRAW, ActionKind.TAKE) and not state.is_over:
                view = state.view(seat)
                begun = ready(view, view.hand) if view.stock <= FEW else 0
        views = [state.view(seat) for seat in own]
        found.stranded += [ready(view, view.hand) for view in views]
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Print a table, a row for each level and table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--tables", default=",".join(TABLES), help="profile/players")
    parser.add_argument("--against", help="a level in the other seats; each level itself if left out")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(words)
    asked = list(product(given.tables.split(","), given.levels.split(",")))
    print("| table | level | throws | breaks | keeps | turns | strands |\n|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(given.workers) as pool:
        rows = [
            pool.submit(watched, level, given.against or level, table, given.deals, given.seed)
            for table, level in asked
        ]
        for (table, level), row in zip(asked, rows, strict=True):
            print(row.result().row(f"`{table}`", f"`{level}`"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
