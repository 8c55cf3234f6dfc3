"""Conversion of a `Ruleset` to the core's settings."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core
from rum500.rules.options import core_values
from rum500.rules.ruleset import Ruleset, check_ruleset
from rum500.rules.scoring import card_values
from rum500.state.position_limits import MOST_DEALS, MOST_POINTS

_MOST_KEPT = 256
_cores: dict[tuple[int, int], tuple[Ruleset, Core]] = {}
"""Cores before dealing, by the `id` of their rule set and the number of players.

The rule set is stored too, so that no other object can get its `id`.
"""


def new_core(rules: Ruleset, players: int, totals: Sequence[int] = (), number: int | None = None) -> Core:
    """Return a core for these rules, before dealing.

    `totals` are the match totals by seat, by default 0. Partners share one total (R-MATCH-5), which is given
    for both seats. `number` is the number of the deal in the match, counted from 1. Without it,
    `default_deal_number(totals)` is used.
    """
    kept = _cores.get((id(rules), players))
    if kept is None:
        if len(_cores) >= _MOST_KEPT:
            _cores.clear()
        kept = _cores[id(rules), players] = rules, _set_up(rules, players)
    if totals and len(totals) != players:
        raise ValueError(f"totals are given for {len(totals)} seats, the deal has {players}")
    for total in totals:
        if not -MOST_POINTS <= index(total) <= MOST_POINTS:
            raise ValueError(f"totals are at most {MOST_POINTS:,} points, not {total:,}")
    if number is not None and not 1 <= index(number) <= MOST_DEALS:
        raise ValueError(f"the deals of a match are counted from 1 to {MOST_DEALS:,}, not from {number}")
    core = Core()
    core.copy_from(kept[1])
    if totals:
        core.totals = [*totals, *[0] * (_core.MAX_SEATS - players)]
    core.number = default_deal_number(totals) if number is None else number
    return core


def _set_up(rules: Ruleset, players: int) -> Core:
    check_ruleset(rules)
    rules.check_players(players)
    core = Core()
    core.n = players
    for name, value in core_values(rules).items():
        setattr(core, name, value)
    core.packs = rules.packs(players)
    core.jokers_total = rules.jokers * core.packs
    core.wild = rules.joker_kind == "wild"
    core.own_rank = rules.joker_kind == "rank"
    core.hand_size = rules.hand_size(players)
    core.same_suit = rules.same_suit_in_sets and core.packs == 2
    core.idle_limit = rules.no_progress_rounds * players
    core.value = card_values(rules)
    return core


def default_deal_number(totals: Sequence[int]) -> int:
    """Return the default number of a deal: 1, or 2 if there are totals other than 0."""
    return 2 if any(totals) else 1
