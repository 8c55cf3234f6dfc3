"""Deals between bots of mixed levels, from which the positions of puzzles and drills are taken."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rum500 import bots
from rum500.bots import Bot
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset
from rum500.state import State, deal
from rum500.view import Event, View

MOST_PLAYS = 2_000
"""A deal that has not ended after this many plays is broken off."""


@cache
def bot_named(name: str) -> Bot:
    """Return a bot by its name, or by its name and number of worlds, as in `strong:64`.

    With a number of worlds the bot has no time limit, so it plays the same on any machine.
    """
    level, _, worlds = name.partition(":")
    return bots.get(level, worlds=int(worlds), seconds=0) if worlds else bots.get(level)


def play_deal(
    rules: Ruleset, players: int, names: Sequence[str], rng: Rng
) -> tuple[list[View], list[Event], State]:
    """Play a deal between bots that are drawn at random from `names`.

    Returns the view of each decision with several legal actions, all events, and the last state.
    """
    state = deal(rules, players, seed=rng.next64(), dealer=rng.below(players))
    seated = [bot_named(names[rng.below(len(names))]) for _ in range(players)]
    views: list[View] = []
    events: list[Event] = []
    for _ in range(MOST_PLAYS):
        if state.is_over:
            break
        view = state.view(state.actor)
        if len(view.legal) > 1:
            views.append(view)
        events += state.apply(seated[state.actor].choose(view, rng))
    return views, events, state
