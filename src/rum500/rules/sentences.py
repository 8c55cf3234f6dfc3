"""The rules of a game in plain sentences, exact for every value of every option."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from rum500.rules.english import number_word, numbers
from rum500.rules.named_variations import variations

if TYPE_CHECKING:
    from rum500.rules.ruleset import Ruleset

__all__ = ["Sentence", "describe", "summary_of", "title_of"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule of a rule set in words.

    `id` and `params` identify the sentence and its numbers and codes in any language.
    """

    heading: str
    """The heading above it."""
    text: str
    """The sentence in English."""
    rules: tuple[str, ...]
    """The ids of its rules in the rulebook, the main one first; decisions (D...) where a source is silent."""
    id: str
    """The sentence's id."""
    params: Mapping[str, Any]
    """The numbers and codes in the sentence, by name, for its translation."""


def describe(rules: Ruleset, players: int | None = None) -> list[Sentence]:
    """Return the rules of a game as plain sentences, in the order of play.

    With a number of players they are the rules for that number, otherwise for all that the game allows.
    Raises `RulesetError` if the game does not allow this number.

    >>> from rum500.rules.profiles import ruleset
    >>> first = describe(ruleset("500-rum"))[0]
    >>> first.text, first.id, first.params
    ('For 2 to 8 players, each playing for themselves.', 'players.alone', {'players': [2, 3, 4, 5, 6, 7, 8]})
    >>> [sentence.text for sentence in describe(ruleset("500-rum"), 6) if sentence.id == "players.two_packs"]
    ['Two packs of 52 cards are used.']
    """
    if players is not None:
        rules.check_players(players)
    facts, fill = _facts(rules, rules.players if players is None else (players,)), _FactFormatter()
    return [
        Sentence(
            heading,
            fill.vformat(entry["text"], (), facts),
            _cited(entry, rules.source),
            entry["id"],
            _params(entry["text"], facts),
        )
        for heading, entries in _sentences().items()
        for entry in entries
        if _holds(entry, facts)
    ]


def _cited(entry: Mapping[str, Any], source: str) -> tuple[str, ...]:
    """Return the ids of the rules that a sentence cites in a game of this source.

    The entry may list the ids by source in `cites`. If the entry's `of` lists only other sources, this source
    does not have the rule, and the first id is D31.
    """
    if source in (cites := entry.get("cites", {})):
        return tuple(cites[source])
    silent = source not in entry.get("of", source)
    return (*(("D31",) if silent else ()), entry["rule"], *entry.get("also", ()))


def title_of(rules: Ruleset) -> str:
    """Return the title of a game. With variations, the part after a comma is left out: it may no longer hold.

    >>> from rum500.rules.profiles import ruleset
    >>> title_of(ruleset("persian-rummy-fosdick", variations=["pips"]))
    'Persian Rummy'
    """
    return rules.title.partition(",")[0] if rules.variations else rules.title


def summary_of(rules: Ruleset) -> str:
    """Return the summary of a game. With variations it may not hold, so the variations are listed instead."""
    changed = [variations()[name].title for name in rules.variations]
    return f"With variations. {'. '.join(changed)}." if changed else rules.summary


@cache
def _sentences() -> Mapping[str, list[dict[str, Any]]]:
    text = resources.files("rum500.rules").joinpath("sentences.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _params(text: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that a sentence contains, by name. The fact `account` is `side` or `player`."""
    return {name: facts[name] for _, name, _, _ in string.Formatter().parse(text) if name}


class _FactFormatter(string.Formatter):
    """Formats the facts in sentences: `{deals}`, `{deals:word}`, `{deals:deal}` or `{deals:word deal}`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a number in digits, or as a word if the format starts with `word`, with a noun if given."""
        if not isinstance(value, int):
            return numbers(value) if isinstance(value, list) else str(value)
        noun = format_spec.removeprefix("word").strip()
        number = number_word(value) if format_spec.startswith("word") else str(value)
        return f"{number} {noun}{'' if value == 1 else 's'}" if noun else number


def _holds(entry: Mapping[str, Any], facts: Mapping[str, object]) -> bool:
    wanted, unwanted = entry.get("when", {}), entry.get("unless", {})
    return all(_is(facts[fact], value) for fact, value in wanted.items()) and not any(
        _is(facts[fact], value) for fact, value in unwanted.items()
    )


def _is(fact: object, value: object) -> bool:
    return fact in value if isinstance(value, list) else fact == value


def _facts(rules: Ruleset, players: tuple[int, ...]) -> dict[str, Any]:
    """Return the options and further facts that sentences on games with these numbers of players need."""
    hands = {number: rules.hand_size(number) for number in players}
    return {
        **rules.options(),
        "players": [*players],
        "account": "side" if rules.sides else "player",
        "two_packs": _some({rules.packs(number) == 2 for number in players}),
        "hand": hands[players[-1]],
        "hands_dealt": "alike" if len(set(hands.values())) == 1 else "apart",
    }


def _some(answers: set[bool]) -> str:
    """Return `always`, `some` or `never`: whether a fact holds for all, some or no numbers of players.

    `answers` has the different values of the fact for these numbers of players.
    """
    if len(answers) == 2:
        return "some"
    return "always" if True in answers else "never"
