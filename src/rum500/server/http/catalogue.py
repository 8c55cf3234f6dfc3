"""The games that the server offers, their rules in sentences, and the levels of bots."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rum500 import bots
from rum500.rules.options import HOUSE_RULES, wire_values
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.rules.sentences import Sentence, describe
from rum500.server.messages.http import HouseRuleInfo, Profile, RuleSentence

_STANDARD = "500-rum"
_USUAL_PLAYERS = 4
LEVEL_USUAL = "greedy"
"""The level that newcomers play against: it lays everything it can, as newcomers do, and can be beaten."""


@cache
def profile_list() -> tuple[Profile, ...]:
    """Return every game of the family, the standard one first."""
    names = sorted(profile_names(), key=lambda name: (name != _STANDARD, name))
    return tuple(_profile(ruleset(name)) for name in names)


def levels() -> list[str]:
    """Return the levels of bots, weakest first, then the bots that only this server has."""
    ladder = [level.name for level in bots.levels()]
    return [*ladder, *(name for name in bots.names() if name not in ladder)]


def rule_sentences(profile: str, house_rules: Iterable[str], players: int | None) -> list[RuleSentence]:
    """Return the rules of a profile in sentences, in the order of play.

    Raises `RulesetError` if the house rules or the number of players are not possible.
    """
    rules = ruleset(profile, house_rules=tuple(house_rules))
    if players is not None:
        rules.check_players(players)
    return [_sentence(sentence) for sentence in describe(rules)]


def _sentence(sentence: Sentence) -> RuleSentence:
    return RuleSentence(
        heading=sentence.heading,
        id=sentence.id,
        params=dict(sentence.params),
        rule=sentence.rule,
        text=sentence.text,
    )


def _profile(rules: Ruleset) -> Profile:
    standard = {sentence.id: sentence.params for sentence in describe(ruleset(_STANDARD))}
    return Profile(
        **wire_values(rules, "profile"),
        players_usual=_USUAL_PLAYERS if _USUAL_PLAYERS in rules.players else rules.players[0],
        house_rules=[
            HouseRuleInfo(rule.id, rule.title) for rule in HOUSE_RULES.values() if _adds(rules, rule.id)
        ],
        differs=[one.id for one in describe(rules) if standard.get(one.id) != one.params],
    )


def _adds(rules: Ruleset, house_rule: str) -> bool:
    """Return whether this house rule is possible in the profile and changes its rules."""
    try:
        return rules.with_house_rules(house_rule) != rules
    except RulesetError:
        return False
