"""From a `Ruleset` to the numbers that the core plays by."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_values

_GO_OUT = {
    "either": _core.GO_OUT_EITHER,
    "meld": _core.GO_OUT_MELD,
    "discard": _core.GO_OUT_DISCARD,
}
_DOUBLES = {"none": 0, "sets": 1, "melds": 2}


def new_core(rules: Ruleset, players: int, totals: Sequence[int] = (), number: int | None = None) -> Core:
    """A core set up for these rules, no card dealt. `totals` are the match totals by seat, 0 if empty.

    Partners' totals are one account (R-MATCH-5) and given alike for both seats. `number` counts the deals
    of the match from 1, this one among them; what it is without one says `usual_number`.
    """
    rules.check_players(players)
    if totals and len(totals) != players:
        raise ValueError(f"totals are given for {len(totals)} seats, the deal has {players}")
    if number is not None and number < 1:
        raise ValueError(f"the deals of a match are counted from 1, not from {number}")
    core = Core()
    core.n = players
    core.sides = rules.sides
    core.packs = rules.packs(players)
    core.jokers_total = rules.jokers * core.packs
    core.wild = rules.joker_kind == "wild"
    core.own_rank = rules.joker_kind == "rank"
    core.joker_value = rules.joker_points
    core.hand_size = rules.hand_size(players)
    core.ace_low = rules.ace == "both"
    core.same_suit = rules.same_suit_in_sets and core.packs == 2
    core.top_must_meld = rules.top_must_meld
    core.go_out = _GO_OUT[rules.go_out]
    core.may_pass = rules.stock_out == "pass"
    core.restock_allowed = rules.restock
    core.upcard_free = rules.upcard_free_when_stock_empty
    core.doubles = _DOUBLES[rules.doubles]
    core.at_once = rules.match_end == "at_once"
    core.target = rules.target
    core.bonus = rules.going_out_bonus
    core.to_winner = rules.hands == "winner"
    core.unnamed_jokers = rules.unnamed_jokers
    core.keep_upcard = rules.keep_upcard
    core.claim_allowed = rules.claim
    core.idle_limit = rules.no_progress_rounds * players
    core.restock_limit = rules.restock_limit
    core.value = card_values(rules)
    core.totals = [*totals, *[0] * (_core.MAX_SEATS - len(totals))]
    core.number = usual_number(totals) if number is None else number
    return core


def usual_number(totals: Sequence[int]) -> int:
    """The number of a deal of which nobody says it: the first, or the second where there are points."""
    return 2 if any(totals) else 1
