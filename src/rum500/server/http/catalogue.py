"""The games that the server offers, their rules in sentences, and the levels of bots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rum500 import bots
from rum500.rules.choices import choices
from rum500.rules.options import HOUSE_RULES, wire_values
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import STANDARD, profile_names, profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.rules.sentences import Sentence, describe
from rum500.server.live.log.table_options import choice_refused
from rum500.server.messages.http import HouseRuleInfo, Profile, RuleChoice

_USUAL_PLAYERS = 4


@cache
def profile_list() -> tuple[Profile, ...]:
    """Return every game of the family: the standard one first, games with sides last."""
    games = sorted(
        map(profile_rules, profile_names()), key=lambda game: (game.name != STANDARD, game.sides, game.name)
    )
    return tuple(map(_profile, games))


def levels() -> list[str]:
    """Return the names of bots: first named levels, then numbered levels, then bots of this server only."""
    return list(bots.names())


def rule_choices(profile: str, chosen: Sequence[str], players: int | None) -> list[RuleChoice]:
    """Return the house rules and variations for a profile; those that do not fit `chosen` have a reason."""
    rules = profile_rules(profile)
    if players is not None:
        rules.check_players(players)
    return [
        RuleChoice(
            each.id,
            each.kind,
            each.title,
            each.source,
            None if each.problem is None else choice_refused(each.problem).reason,
        )
        for each in choices(rules, chosen, players)
    ]


def rule_sentences(
    profile: str,
    chosen: Sequence[str] = (),
    players: int | None = None,
    target: int | None = None,
    deals: int | None = None,
) -> list[Sentence]:
    """Return the rules of a profile with these choices, as sentences in the order of play.

    Raises `RulesetError` if the choices or the number of players are not possible.
    """
    rules = profile_rules(profile).changed(
        house_rules=[id_ for id_ in chosen if id_ in HOUSE_RULES],
        variations=[id_ for id_ in chosen if id_ not in HOUSE_RULES],
    )
    changes = {} if target is None else {"target": target}
    if deals is not None:
        changes[rules.deals_option] = deals
    if changes:
        rules = rules.changed(options=changes)
    return describe(rules, players)


def _profile(rules: Ruleset) -> Profile:
    standard = {sentence.id: sentence.params for sentence in describe(profile_rules(STANDARD))}
    return Profile(
        **wire_values(rules, "profile"),
        players_usual=_USUAL_PLAYERS if _USUAL_PLAYERS in rules.players else rules.players[0],
        house_rules=[
            HouseRuleInfo(rule.id, rule.title) for rule in HOUSE_RULES.values() if _adds(rules, rule.id)
        ],
        differs=[one.id for one in describe(rules) if standard.get(one.id) != one.params],
    )


def _adds(rules: Ruleset, house_rule: str) -> bool:
    """Return whether a house rule is possible in the profile and changes its rules."""
    try:
        return rules.with_house_rules(house_rule) != rules
    except RulesetError:
        return False
