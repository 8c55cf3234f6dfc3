"""Habits of the levels that people at the table notice.

    python -m tests.support.habits

prints the table in bench/README.md.
"""

from __future__ import annotations

from typing import NamedTuple

from rum500 import bots, deal, ruleset
from rum500.bots.protocol import rng_for
from rum500.cards import JOKER
from rum500.rules.action_codes import action_kind, code_of, discarded_card, lays_cards, play_counts
from rum500.rules.actions import ActionKind


class Habits(NamedTuple):
    """What was counted of one level at one table."""

    discards: int
    """Discards that do not go out."""
    throws: int
    """Those of a card that could have been laid at once, in a meld or a lay-off."""


def lays(code: int, card: int) -> bool:
    """Return whether a play lays this card, or its twin."""
    cards, _, jokers = play_counts(code)
    return jokers > 0 if card == JOKER else bool(cards >> card & 1)


def watched(level: str, against: str, table: str, deals: int, seed: int) -> Habits:
    """Return the habits of a level in `deals` deals: of all seats if it plays itself, otherwise of one."""
    profile, _, players = table.partition("/")
    rules, discards, throws = ruleset(profile), 0, 0
    mine, other = bots.get(level), bots.get(against)
    for number in range(deals):
        seed_of_deal = rng_for(seed, number).next64()
        state = deal(rules, int(players), seed_of_deal, number % int(players))
        own = range(int(players)) if level == against else [number // int(players) % int(players)]
        chances = [rng_for(seed_of_deal, seat) for seat in range(int(players))]
        while not state.is_over:
            seat, view = state.actor, state.view(state.actor)
            code = code_of((mine if seat in own else other).choose(view, chances[seat]))
            if action_kind(code) is ActionKind.DISCARD and seat in own and len(view.hand) > 1:
                card = discarded_card(code)
                discards += 1
                throws += any(lays_cards(each) and lays(each, card) for each in view.legal)
            state.apply_int(code)
    return Habits(discards, throws)


def main() -> None:
    """Print a row for each table and level, which plays 200 deals against itself."""
    for table in ("500-rum/2", "rummy-500/2", "500-rum/4", "rummy-500/4", "persian-rummy/4", "500-rum/6"):
        for level in ("greedy", "casual", "club"):
            found = watched(level, level, table, 200, seed=1)
            print(
                f"| `{table}` | `{level}` | {found.throws / found.discards:.1%} of {found.discards:,} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
