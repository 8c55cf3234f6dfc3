"""The rules of a rule set in plain sentences, exact for every value of every option."""

from __future__ import annotations

import string
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from rum500.rules._combinations import two_packs_possible
from rum500.rules.english import amount, counted, number_word, numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rum500.rules.ruleset import Ruleset

__all__ = ["Sentence", "describe"]


class Sentence(NamedTuple):
    """One rule of a rule set in words.

    `id` and `params` identify the sentence and its numbers and codes in any language.
    """

    heading: str
    """The heading above it."""
    text: str
    """The sentence in English."""
    rule: str
    """The rule's id."""
    id: str
    """The sentence's id."""
    params: Mapping[str, Any]
    """The numbers and codes in the sentence, by name."""


def describe(rules: Ruleset) -> list[Sentence]:
    """Return the rules of a rule set in plain sentences, in the order of play.

    >>> from rum500.rules.profiles import ruleset
    >>> first = describe(ruleset("500-rum"))[0]
    >>> first.text, first.id, first.params
    ('For 2 to 8 players, each playing for themselves.', 'players.alone', {'players': [2, 3, 4, 5, 6, 7, 8]})
    """
    facts = {**rules.options(), **_facts(rules)}
    return [
        Sentence(heading, entry["text"].format_map(facts), entry["rule"], entry["id"], _params(entry, rules))
        for heading, entries in _sentences().items()
        for entry in entries
        if _holds(entry, facts)
    ]


@cache
def _sentences() -> Mapping[str, list[dict[str, Any]]]:
    text = resources.files("rum500.rules").joinpath("sentences.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


_NUMBERS = {
    "joker_word": "jokers",
    "hand_word": "hand",
    "hand_two_word": "hand_two",
    "restocks": "restock_limit",
    "rounds": "no_progress_rounds",
    "going_out_points": "going_out_bonus",
    "target_points": "target",
    "deals_word": "deals",
    "max_deals_word": "max_deals",
    "match_bonus_points": "match_bonus",
}
"""The option behind each number word of the sentences."""


def _params(entry: Mapping[str, Any], rules: Ruleset) -> dict[str, Any]:
    """Return the variables of a sentence: numbers, and for `account` the code `side` or `player`."""
    facts = {**rules.options(), "account": _account(rules), "hand": _hand(rules), "players": [*rules.players]}
    words = (field for _, field, _, _ in string.Formatter().parse(entry["text"]) if field)
    return {name: facts[name] for name in (_NUMBERS.get(word, word) for word in words)}


def _holds(entry: Mapping[str, Any], facts: Mapping[str, object]) -> bool:
    wanted, unwanted = entry.get("when", {}), entry.get("unless", {})
    return all(_is(facts[fact], value) for fact, value in wanted.items()) and not any(
        _is(facts[fact], value) for fact, value in unwanted.items()
    )


def _is(fact: object, value: object) -> bool:
    return fact in value if isinstance(value, list) else fact == value


def _facts(rules: Ruleset) -> dict[str, object]:
    """Return the variables and conditions of the sentences that are not options."""
    hand = _hand(rules)
    alike = 2 not in rules.players or hand == rules.hand_two
    return {
        "players": numbers(rules.players),
        "account": _account(rules),
        "two_packs": _two_packs(rules),
        "second_pack_from": number_word(rules.second_pack_from),
        "joker_word": number_word(rules.jokers),
        "hands_dealt": "alike" if alike else "apart",
        "hand_word": counted(hand, "card"),
        "hand_two_word": number_word(rules.hand_two),
        "restocks": counted(rules.restock_limit, "new stock"),
        "rounds": counted(rules.no_progress_rounds, "round"),
        "going_out_points": amount(rules.going_out_bonus),
        "target_points": amount(rules.target),
        "deals_word": counted(rules.deals, "deal"),
        "max_deals_word": counted(rules.max_deals, "deal"),
        "match_bonus_points": amount(rules.match_bonus),
    }


def _hand(rules: Ruleset) -> int:
    """Return the number of cards dealt, unless two players get a different number."""
    return rules.hand_two if rules.players == (2,) else rules.hand


def _account(rules: Ruleset) -> str:
    return "side" if rules.sides else "player"


def _two_packs(rules: Ruleset) -> str:
    if not two_packs_possible(rules):
        return "never"
    return "always" if rules.second_pack_from <= rules.players[0] else "some"
