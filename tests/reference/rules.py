"""The rules as plain values, and the nine profiles of RULEBOOK §1 copied cell by cell.

`read_rules` is the one adapter: it takes a mapping or any object with fields of these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Rules(NamedTuple):
    """What a deal depends on; what only the match needs is left out."""

    players: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8)
    sides: int = 0
    second_pack_from: int = 0
    jokers: int = 0
    joker_kind: str = "none"
    hand: int = 7
    hand_two: int = 13
    ace: str = "both"
    same_suit_in_sets: bool = False
    top_must_meld: bool = True
    go_out: str = "either"
    stock_out: str = "end"
    restock: bool = False
    upcard_free_when_stock_empty: bool = False
    low_cards: str = "pips"
    ace_low: int = 1
    joker_points: int = 0
    doubles: str = "none"
    count: str = "deal_end"
    going_out_bonus: int = 0
    hands: str = "holder"
    match: str = "target"
    target: int = 500
    match_end: str = "deal"
    unnamed_jokers: bool = False
    keep_upcard: bool = False
    claim: bool = False
    blind_claims: bool = False
    no_progress_rounds: int = 4
    restock_limit: int = 2

    def packs(self, players: int) -> int:
        """Two packs from `second_pack_from` players on."""
        return 2 if self.second_pack_from and players >= self.second_pack_from else 1

    def hand_size(self, players: int) -> int:
        """Cards dealt to each."""
        return self.hand_two if players == 2 else self.hand

    def side(self, seat: int) -> int:
        """The account a seat scores for: partners sit opposite (R-MATCH-5)."""
        return seat % self.sides if self.sides else seat


def read_rules(source: Any) -> Rules:
    """Our own copy of the rules from a mapping or from an object's attributes; missing fields default."""
    values = {}
    for field, default in Rules._field_defaults.items():
        value = source.get(field, default) if isinstance(source, Mapping) else getattr(source, field, default)
        values[field] = tuple(value) if field == "players" else value
    return Rules(**values)


_RUM = {"players": (2, 3, 4, 5, 6, 7, 8), "second_pack_from": 5}
_FOUR = {"players": (4,), "sides": 2}
_SIMPLIFIED = {"low_cards": "five", "ace_low": 5}
_PERSIAN = {
    "jokers": 4,
    "joker_kind": "rank",
    "joker_points": 20,
    "doubles": "sets",
    "going_out_bonus": 25,
    "match": "deals",
}

PROFILES: dict[str, dict[str, Any]] = {
    "500-rum": {**_RUM},
    "500-rummy": {**_RUM, "players": (2, 3, 4, 5, 6), "same_suit_in_sets": True, **_SIMPLIFIED},
    "rummy-500": {**_RUM, "jokers": 2, "joker_kind": "wild", "joker_points": 15, "top_must_meld": False},
    "partnership-500-rum": {**_FOUR},
    "partnership-500-rummy": {**_FOUR, **_SIMPLIFIED},
    "persian-rummy": {**_FOUR, **_PERSIAN},
    "persian-rummy-fosdick": {**_FOUR, **_PERSIAN, **_SIMPLIFIED},
    "persian-rummy-gamerules": {**_FOUR, **_PERSIAN, "ace": "high", "go_out": "meld", "stock_out": "pass"},
    "michigan-rum": {**_RUM, "count": "as_laid", "hands": "winner"},
}

HOUSE_RULES: dict[str, dict[str, Any]] = {
    "H1": {"top_must_meld": True},
    "H2": {"go_out": "discard"},
    "H3": {"unnamed_jokers": True},
    "H4": {"keep_upcard": True},
    "H5": {"restock": True},
    "H6": {"claim": True},
}


def permitted(profile: Mapping[str, Any], house_rules: tuple[str, ...]) -> bool:
    """Whether these house rules may be added to a profile (RULEBOOK §1, the refusals)."""
    rules = read_rules(profile)
    if "H1" in house_rules and rules.top_must_meld:
        return False
    if "H2" in house_rules and rules.go_out == "meld":
        return False
    if "H3" in house_rules and rules.joker_kind != "wild":
        return False
    return not ("H4" in house_rules and (rules.top_must_meld or "H1" in house_rules))


def with_house_rules(profile: Mapping[str, Any], house_rules: tuple[str, ...]) -> dict[str, Any]:
    """A profile with house rules turned on."""
    changed = dict(profile)
    for house_rule in house_rules:
        changed.update(HOUSE_RULES[house_rule])
    return changed
