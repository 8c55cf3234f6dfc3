"""House rules, variations and changes of a rule set, and which of them can be combined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES, RULE_FIELDS
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, profiles, ruleset
from rum500.rules.ruleset import Ruleset
from tests.support.rulesets import codes, line_of, toml_problems

# House rules


@pytest.mark.parametrize(
    ("name", "id_", "field", "value"),
    [
        ("rummy-500", "H1", "top_must_meld", True),
        ("500-rum", "H2", "go_out", "discard"),
        ("rummy-500", "H3", "unnamed_jokers", True),
        ("rummy-500", "H4", "keep_upcard", True),
        ("persian-rummy-gamerules", "H5", "restock", True),
        ("michigan-rum", "H6", "claim", True),
    ],
)
def test_each_house_rule_sets_its_option(name, id_, field, value):
    """H1, H2, H3, H4, H5, H6"""
    plain = ruleset(name)
    rules = ruleset(name, house_rules=(id_,))
    assert getattr(plain, field) != value
    assert getattr(rules, field) == value
    assert plain.house_rules == ()
    assert rules.house_rules == (id_,)
    assert [difference.field for difference in plain.diff(rules)] == [field]
    assert rules == plain.with_house_rules(id_) == ruleset(name, [id_.lower()]) == ruleset(name, id_)
    assert rules.with_house_rules(id_) == rules
    assert Ruleset.from_toml(rules.to_toml()).house_rules == (id_,)


@pytest.mark.parametrize("name", [name for name in profile_names() if name != "rummy-500"])
def test_h1_is_refused_where_the_top_discard_must_be_melded_already(name):
    """H1"""
    assert ruleset(name).top_must_meld
    assert ruleset(name).house_rules == ()
    assert codes(ruleset, name, house_rules=("H1",)) == [("H1-already", "top_must_meld")]
    assert codes(ruleset, name, house_rules=("H4",)) == [("H4-top-must-meld", "keep_upcard")]


def test_h1_is_refused_where_it_was_asked_for_as_an_option():
    """H1"""
    assert codes(ruleset, "rummy-500", ("H1",), top_must_meld=True) == [("H1-already", "top_must_meld")]


def test_a_profiles_own_top_rule_cannot_be_declared_a_house_rule():
    """H1, R-DRAW-4: not in a file either, nor by giving H1 the profile's name; one's own game may say so."""
    text = ruleset("500-rum").to_toml().replace("top_rule_is_house = false", "top_rule_is_house = true")
    assert toml_problems(text) == [("H1-already", "top_rule_is_house", line_of(text, "top_rule_is_house"))]
    assert codes(ruleset("rummy-500", ("H1",)).replace, name="500-rum") == [
        ("H1-already", "top_rule_is_house")
    ]
    ours = Ruleset.from_toml(text.replace('name = "500-rum"', 'name = "ours"'))
    assert ours.house_rules == ("H1",)
    assert ours.diff(ruleset("500-rum")) == ()


def test_h1_and_h4_exclude_each_other():
    """H4: the top discard taken alone is melded, so it is never there to discard."""
    assert codes(ruleset, "rummy-500", ("H1", "H4")) == [("H4-top-must-meld", "keep_upcard")]


def test_h2_is_refused_where_one_goes_out_by_melding_only():
    """H2"""
    assert codes(ruleset, "persian-rummy-gamerules", ("H2",)) == [("H2-meld-only", "go_out")]


@pytest.mark.parametrize("name", [name for name in profile_names() if profiles()[name].joker_kind != "wild"])
def test_h3_is_refused_without_wild_jokers(name):
    """H3"""
    assert codes(ruleset, name, ("H3",)) == [("H3-no-wild-jokers", "unnamed_jokers")]


def test_h5_goes_with_may_pass():
    """H5, D6"""
    rules = ruleset("persian-rummy-gamerules", ("H5",))
    assert rules.restock
    assert rules.stock_out == "pass"


def test_all_house_rules_that_go_together():
    """H2, H3, H4, H5, H6"""
    assert ruleset("rummy-500", ("H6", "H2", "H3", "H5", "H4")).house_rules == ("H2", "H3", "H4", "H5", "H6")


def test_house_rules_that_do_not_exist_or_contradict_are_refused():
    assert codes(ruleset, "rummy-500", ("H99", "", "H5")) == [("house-rule-unknown", "")] * 2
    assert codes(ruleset, "rummy-500", ("H5",), restock=False) == [("house-rule-contradiction", "restock")]
    assert codes(ruleset, "500-rum", ("H1", "H2", "H9"), go_out="meld") == [
        ("H1-already", "top_must_meld"),
        ("H2-meld-only", "go_out"),
        ("house-rule-unknown", ""),
    ]


def test_taking_h1_back():
    """H1"""
    rules = ruleset("rummy-500", ("H1",)).replace(top_must_meld=False)
    assert rules == ruleset("rummy-500")


@given(st.sampled_from(profile_names()), st.lists(st.sampled_from(list(HOUSE_RULES)), max_size=6))
def test_house_rules_in_force_are_those_asked_for(name, ids):
    """H1, H2, H3, H4, H5, H6"""
    try:
        rules = ruleset(name, house_rules=ids)
    except RulesetError:
        refused = {"H1", "H4"} if name == "rummy-500" else {"H1", "H2", "H3", "H4"}
        assert refused & set(ids)
    else:
        assert rules.house_rules == tuple(sorted(set(ids)))


# Variations


def test_pip_scoring_puts_the_low_ace_at_one():
    """D8, R-SCORE-2"""
    rules = ruleset("500-rummy", variations=("pips",))
    assert (rules.low_cards, rules.ace_low) == ("pips", 1)
    assert rules == ruleset("500-rummy", low_cards="pips", ace_low=1)
    assert {d.field for d in rules.diff(ruleset("500-rummy"))} == {"low_cards", "ace_low"}


@pytest.mark.parametrize("jokers", [1, 2])
@pytest.mark.parametrize("name", [name for name in profile_names() if not name.startswith("persian")])
def test_wild_jokers_as_a_variation(name, jokers):
    """D9: wherever the profile has no jokers of their own rank, 15 points each."""
    plain = (
        ruleset("rummy-500", variations=("jokers-1",))
        if (name, jokers) == ("rummy-500", 2)
        else ruleset(name)
    )
    rules = plain.with_variations(f"jokers-{jokers}")
    assert (rules.jokers, rules.joker_kind, rules.joker_points) == (jokers, "wild", 15)


@pytest.mark.parametrize("name", [name for name in profile_names() if name.startswith("persian")])
def test_wild_jokers_are_refused_beside_jokers_of_their_own_rank(name):
    """D9, R-MELD-4"""
    assert codes(ruleset, name, variations=("jokers-2",)) == [("jokers-own-rank", "joker_kind")]


def test_variations_go_with_house_rules_and_changes():
    """D9, H3"""
    rules = ruleset("500-rummy", ("H3",), variations=("pips", "jokers-2"), joker_points=25)
    assert rules.house_rules == ("H3",)
    assert rules.joker_points == 25
    assert rules.low_cards == "pips"
    assert ruleset("rummy-500", variations="jokers-1").jokers == 1


def test_variations_that_change_nothing_or_contradict_are_refused():
    assert codes(ruleset, "500-rum", variations=("pips",)) == [("pips-already", "low_cards")]
    assert codes(ruleset, "rummy-500", variations=("jokers-2",)) == [("jokers-already", "joker_kind")]
    one = ruleset("rummy-500", variations=("jokers-1",))
    assert codes(one.with_variations, "jokers-1") == [("jokers-already", "joker_kind")]
    assert codes(ruleset, "500-rum", variations=("jokers-1", "jokers-2")) == [
        ("variation-contradiction", "jokers")
    ]
    with pytest.raises(RulesetError, match="'joker-2'; did you mean jokers-2"):
        ruleset("500-rum", variations=("joker-2",))


def test_variations_name_their_source():
    sources = {name: variation.source for name, variation in variations().items()}
    assert sources == {
        **dict.fromkeys(("pips", "jokers-1", "jokers-2"), "F"),
        **dict.fromkeys(("double-runs", "end-at-once"), "H"),
        **dict.fromkeys(("free-upcard", "blind-calls"), "R"),
    }
    for variation in variations().values():
        assert set(variation.sets) <= set(RULE_FIELDS)
        for case in variation.refused:
            assert set(case["when"]) <= set(RULE_FIELDS)


@pytest.mark.parametrize("name", profile_names())
@pytest.mark.parametrize("variation", variations())
def test_each_variation_is_made_or_refused_with_a_reason_and_never_twice(name, variation):
    """D5, D9, D11, D14: where the sources know it, and nowhere else; what is made is told to be in force."""
    persian, michigan = name.startswith("persian"), name == "michigan-rum"
    possible = {
        "pips": "rummy" in name
        and name != "rummy-500"
        and "gamerules" not in name
        and name != "persian-rummy",
        "jokers-1": not persian,
        "jokers-2": not persian and name != "rummy-500",
        "double-runs": persian,
        "end-at-once": michigan,
        "free-upcard": name == "rummy-500",
        "blind-calls": False,
    }[variation]
    if not possible:
        assert codes(ruleset, name, variations=(variation,))
        return
    rules = ruleset(name, variations=(variation,))
    assert rules != ruleset(name)
    assert rules.variations == (variation,)
    assert ruleset(name).variations == ()
    assert [code.endswith("-already") for code, _ in codes(rules.with_variations, variation)] == [True]


def test_a_rule_set_of_ones_own_has_no_variations():
    assert ruleset("500-rummy", name="ours", variations=("pips",)).variations == ()


# Changes


def test_replace_takes_lists_and_leaves_the_rest():
    rules = ruleset("500-rum").replace(players=[2, 4], title="Ours")
    assert rules.players == (2, 4)
    assert rules.title == "Ours"
    assert ruleset("500-rum").title == "500 Rum"
    assert ruleset("500-rum", name="ours").name == "ours"


def test_unknown_options_name_the_nearest():
    with pytest.raises(RulesetError, match="did you mean target"):
        ruleset("500-rum", taget=300)
    with pytest.raises(RulesetError, match=r"restock \(H5\)"):
        ruleset("500-rum").replace(house_rules=("H5",))


def test_blind_calls_go_with_calls_alone():
    """H6"""
    assert codes(ruleset, "500-rum", variations=("blind-calls",)) == [
        ("blind-claims-no-claim", "blind_claims")
    ]
    rules = ruleset("500-rum", ("H6",), variations=("blind-calls",))
    assert rules.changes == ("blind-calls", "H6")
    assert codes(rules.with_variations, "blind-calls") == [("blind-calls-already", "blind_claims")]
