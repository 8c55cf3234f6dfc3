"""The options of a rule set as keyword arguments. Written by tools/option_types.py; do not edit."""

from typing import Literal, TypedDict


class OptionTypes(TypedDict, total=False):
    """Options and their types, for functions that take some of them; lists are converted to tuples."""

    name: str
    title: str
    source: Literal["H", "F", "R", "G", ""]
    sources: tuple[str, ...] | list[str]
    aliases: tuple[str, ...] | list[str]
    summary: str
    players: tuple[int, ...] | list[int]
    sides: int
    second_pack_from: int
    jokers: int
    joker_kind: Literal["none", "wild", "rank"]
    hand: int
    hand_two: int
    ace: Literal["both", "high"]
    same_suit_in_sets: bool
    unnamed_jokers: bool
    top_must_meld: bool
    top_rule_is_house: bool
    keep_upcard: bool
    claim: bool
    blind_claims: bool
    go_out: Literal["either", "meld", "discard"]
    stock_out: Literal["end", "pass"]
    restock: bool
    upcard_free_when_stock_empty: bool
    restock_limit: int
    no_progress_rounds: int
    low_cards: Literal["pips", "five"]
    ace_low: int
    joker_points: int
    doubles: Literal["none", "sets", "melds"]
    count: Literal["deal_end", "as_laid"]
    going_out_bonus: int
    hands: Literal["holder", "winner"]
    match: Literal["target", "deals"]
    target: int
    deals: int
    max_deals: int
    match_end: Literal["deal", "at_once"]
    ties: Literal["deciding", "drawn"]
    match_bonus: int
    settlement: Literal["difference", "totals", "none"]
    draw_for_deal: Literal["low", "partners"]
    dealer_keeps_score: bool
