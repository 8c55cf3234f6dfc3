"""Random games of the family: rule sets, decks and ways of playing that bring about what is rare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rum500 import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset

if TYPE_CHECKING:
    import random

HOUSE_RULES = ("H1", "H2", "H3", "H4", "H5", "H6")

_OPTIONS: tuple[dict[str, Any], ...] = (
    {"jokers": 1, "joker_kind": "wild", "joker_points": 15},
    {"jokers": 2, "joker_kind": "wild", "joker_points": 15},
    {
        "jokers": 3,
        "joker_kind": "rank",
        "joker_points": 20,
        "second_pack_from": 0,
        "same_suit_in_sets": False,
    },
    {"jokers": 0, "joker_kind": "none", "joker_points": 0},
    {"low_cards": "pips", "ace_low": 1},
    {"low_cards": "five", "ace_low": 5},
    {"ace": "high", "ace_low": 0},
    {"top_must_meld": False},
    {"top_must_meld": True},
    {"go_out": "either"},
    {"go_out": "meld"},
    {"go_out": "discard"},
    {"stock_out": "pass"},
    {"stock_out": "end"},
    {"upcard_free_when_stock_empty": True},
    {"claim": True, "blind_claims": True},
    {"doubles": "sets"},
    {"doubles": "melds"},
    {"count": "as_laid", "match": "target", "match_end": "at_once", "target": 60},
    {"hands": "winner"},
    {"hands": "holder"},
    {"going_out_bonus": 25},
    {"sides": 2, "players": (4,)},
    {"same_suit_in_sets": True, "second_pack_from": 2, "joker_kind": "none", "jokers": 0, "joker_points": 0},
    {"same_suit_in_sets": True, "second_pack_from": 2},
    {"second_pack_from": 2},
    {"no_progress_rounds": 1},
    {"no_progress_rounds": 2},
    {"restock_limit": 1},
    {"hand": 3, "hand_two": 3},
    {"hand": 1, "hand_two": 2},
    {"hand": 5, "hand_two": 7},
)


def random_rules(chance: random.Random, changes: int = 3) -> Ruleset:
    """A profile with some permitted house rules and options, drawn at random."""
    rules = ruleset(chance.choice(profile_names()))
    for house_rule in chance.sample(HOUSE_RULES, chance.choice((0, 1, 1, 2, 3))):
        rules = _changed(rules, house_rules=(house_rule,))
    for options in chance.sample(_OPTIONS, chance.randint(0, changes)):
        rules = _changed(rules, options=options)
    return rules


def _changed(rules: Ruleset, **changes: Any) -> Ruleset:
    """The rule set so changed, or as it was where that would be no game."""
    try:
        return rules.changed(**changes)
    except RulesetError:
        return rules


def random_players(rules: Ruleset, chance: random.Random) -> int:
    """A number of players, small ones likelier."""
    return chance.choice([n for n in rules.players for _ in range(9 - n)])


def small_deck(rules: Ruleset, players: int, chance: random.Random) -> list[int]:
    """A shuffled deck, often cut down to a few ranks or suits, often with few cards to draw."""
    deck = rules.deck(players)
    shape = chance.choice(("whole", "ranks", "suits", "ends"))
    if shape == "ranks":
        start, width = chance.randrange(13), chance.randint(4, 9)
        deck = [c for c in deck if c == 62 or (c % 16 - start) % 13 < width]
    elif shape == "suits":
        suits = chance.sample(range(4), 2)
        deck = [c for c in deck if c == 62 or c // 16 in suits]
    elif shape == "ends":
        deck = [c for c in deck if c == 62 or c % 16 in (0, 1, 2, 10, 11, 12)]
    chance.shuffle(deck)
    dealt = rules.hand_size(players) * players + 1
    if len(deck) < dealt:
        deck = rules.deck(players)
        chance.shuffle(deck)
    if chance.random() < 0.7:
        deck = deck[: dealt + chance.choice((0, 1, 3, 6, 12, 25))]
    return deck


def random_style(chance: random.Random) -> dict[str, float]:
    """How likely each kind of play is, by the first word of its text; a choice that lasts for a deal."""
    styles: tuple[dict[str, float], ...] = (
        {},
        {"discard": 0.1},
        {"draw": 0.1, "take": 3.0},
        {"meld": 5.0, "lay": 5.0, "discard": 0.3},
        {"meld": 0.02, "lay": 0.02},
        {"let": 0.2, "call": 3.0},
        {"end": 0.05, "discard": 0.2},
        {"take": 0.02, "call": 0.02, "end": 0.02},
        {"draw": 0.01, "take": 5.0, "meld": 0.1, "lay": 0.1},
    )
    return chance.choice(styles)
