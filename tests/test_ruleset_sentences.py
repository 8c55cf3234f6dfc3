"""What a rule set says in sentences, and what two of them differ in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rum500.rules.options import BY_FIELD, RULE_FIELDS
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.rules.sentences import describe
from tests.support.rulesets import rulesets

# Differences


def test_a_rule_set_differs_in_nothing_from_itself_nor_from_one_of_another_name():
    rules = ruleset("persian-rummy")
    assert rules.diff(rules) == ()
    assert rules.diff(rules.replace(name="ours", title="Ours", aliases=(), source="", summary="")) == ()


def test_differences_are_told_in_sentences():
    """R-SCORE-3, D12, R-MATCH-1"""
    told = [difference.text for difference in ruleset("partnership-500-rum").diff(ruleset("persian-rummy"))]
    assert told == [
        "Jokers in each pack: here none; there four.",
        "Kind of jokers: here none; there a rank of their own, melded only with one another.",
        "The worth of a joker: here none; there 20 points.",
        "Four cards laid at once: here they count once; there a set of four counts double.",
        "Bonus for going out: here none; there 25 points.",
        "The match: here to a target; there over a number of deals.",
        "Equal highest totals: here deciding deals are played; there the match is drawn.",
        "Bonus for the match: here none; there 50 points.",
    ]


@given(rulesets(), rulesets())
def test_differences_are_exactly_the_options_that_differ(one, two):
    found = one.diff(two)
    assert [d.field for d in found] == [f for f in RULE_FIELDS if getattr(one, f) != getattr(two, f)]
    for difference, back in zip(found, two.diff(one), strict=True):
        assert (difference.ours, difference.theirs) == (back.theirs, back.ours)
        here, there = difference.text.split(": here ", 1)[1][:-1].split("; there ")
        assert here != there


# Sentences


@given(rulesets())
def test_every_rule_set_can_be_told(rules):
    told = describe(rules)
    assert [s for s in told if "{" in s.text or not s.text.endswith((".", ":")) or not s.rule] == []
    assert len({s.text for s in told}) == len(told)
    for id_ in rules.house_rules:
        assert any(s.rule == id_ for s in told)


def acting(rules: Ruleset) -> list[object]:
    """The options of a rule set as far as they can act for the players that it allows."""
    idle = ("second_pack_from", "hand", "hand_two", "same_suit_in_sets")
    packs = [rules.packs(n) for n in rules.players]
    return [
        packs,
        [rules.hand_size(n) for n in rules.players],
        rules.same_suit_in_sets and 2 in packs,
        rules.top_rule_is_house,
        *(getattr(rules, field) for field in RULE_FIELDS if field not in idle),
    ]


@given(rulesets(), st.sampled_from(RULE_FIELDS), st.data())
def test_each_option_is_told_where_it_can_act(rules, field, data):
    option = BY_FIELD[field]
    values = {
        "bool": st.booleans(),
        "str": st.sampled_from(option.choices or ("",)),
        "int": st.integers(option.low, option.high),
        "ints": st.sets(st.integers(2, 8), min_size=1).map(lambda s: tuple(sorted(s))),
    }[option.kind]
    try:
        other = rules.replace(**{field: data.draw(values)})
    except RulesetError:
        return
    if acting(rules) != acting(other):
        assert describe(rules) != describe(other)


def test_sentences_for_a_profile():
    told = {(said.heading, said.rule): said.text for said in describe(ruleset("michigan-rum"))}
    assert told["Points", "R-SCORE-4"].startswith("Cards still held are not subtracted")
    assert [s.heading for s in describe(ruleset("500-rum"))][:1] == ["Players and cards"]
