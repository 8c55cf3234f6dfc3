"""What a rule set says in sentences, and what two of them differ in."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500 import deal
from rum500.rules.named_variations import variations
from rum500.rules.options import BY_FIELD, HOUSE_RULES, RULE_FIELDS
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.rules.sentences import describe
from tests.support import rulebook
from tests.support.depth import depth
from tests.support.rulesets import rulesets
from tests.test_refusals import CASES, position, refusals
from tools.words import catalogue

# Differences


def test_a_rule_set_differs_in_nothing_from_itself_nor_from_one_of_another_name():
    rules = ruleset("persian-rummy")
    assert rules.diff(rules) == ()
    assert rules.diff(rules.replace(name="ours", title="Ours", aliases=(), source="", summary="")) == ()


def test_differences_are_described_in_sentences():
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


@settings(max_examples=depth(30, 100))
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
    assert [s for s in told if "{" in s.text or not s.text.endswith((".", ":")) or not s.rules] == []
    assert len({s.text for s in told}) == len(told)
    for id_ in rules.house_rules:
        assert any(id_ in s.rules for s in told)


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
def test_each_option_is_described_where_it_can_act(rules, field, data):
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
    told = {(said.heading, said.rules[0]): said.text for said in describe(ruleset("michigan-rum"))}
    assert told["Points", "R-SCORE-4"].startswith("Cards still held are not subtracted")
    assert [s.heading for s in describe(ruleset("500-rum"))][:1] == ["Players and cards"]


@pytest.mark.parametrize("name", [name for name in profile_names() if len(ruleset(name).players) > 1])
def test_rules_are_described_for_the_number_of_players(name):
    """D1, R-DEAL-2: two, four and six players read different texts, and no word on the other numbers."""
    rules = ruleset(name)
    told = {number: [s.text for s in describe(rules, number)] for number in (2, 4, 6)}
    assert told[2][0] == "For 2 players, each playing for themselves."
    assert [sum("thirteen" in text or "13 cards" in text for text in told[n]) for n in (2, 4, 6)] == [1, 0, 0]
    assert [sum("seven cards" in text for text in told[n]) for n in (2, 4, 6)] == [0, 1, 1]
    assert [sum("Two packs" in text for text in told[n]) for n in (2, 4, 6)] == [0, 0, 1]
    assert not any(
        "from five players on" in text or "where two play" in text for n in told for text in told[n]
    )
    assert len({tuple(texts) for texts in told.values()}) == 3
    with pytest.raises(RulesetError, match="not 9"):
        describe(rules, 9)


@pytest.mark.whole
@given(rulesets(), st.data())
def test_number_of_players_is_described_like_a_game_for_that_number_alone(rules, data):
    number = data.draw(st.sampled_from(rules.players))
    try:
        alone = rules.replace(players=(number,))
    except RulesetError:
        return
    assert describe(rules, number) == describe(alone)


# What refusals cite


def told_ids(rules: Ruleset, players: int) -> set[str]:
    return {id_ for sentence in describe(rules, players) for id_ in sentence.rules}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['code']}-{case['rule']}")
def test_rule_of_every_known_refusal_is_described_in_its_game(case):
    """Every code and every id that the explanations can give has a case: `test_refusals.py`."""
    state = position(case)
    assert case["rule"] in told_ids(state.rules, state.players)


def games() -> list[Ruleset]:
    """Every profile, plain and with each house rule and variation that it can be played with."""
    found = []
    for rules in map(ruleset, profile_names()):
        found.append(rules)
        for changes in [
            *({"house_rules": (id_,)} for id_ in HOUSE_RULES),
            *({"variations": (v,)} for v in variations()),
        ]:
            with suppress(RulesetError):
                found.append(rules.changed(**changes))
    return list(dict.fromkeys(found))


@pytest.mark.sample(19)
@pytest.mark.parametrize(
    "rules", games(), ids=lambda rules: "-".join((rules.name, *rules.house_rules, *rules.variations))
)
def test_every_rule_that_a_refusal_cites_is_described_in_every_game(rules):
    """Wrong plays of every kind, through whole deals of each game with few and with many players."""
    for players in {rules.players[0], rules.players[-1]}:
        told, chance = told_ids(rules, players), random.Random(players)
        state = deal(rules, players=players, seed=players)
        for _ in range(depth(25, 60)):
            if state.is_over:
                break
            for refusal in (refused for _, refused in refusals(state, chance) if refused is not None):
                assert refusal.rule in told, refusal
            state.apply(chance.choice(state.legal_ints()))


def test_no_sentence_has_more_than_twenty_words():
    """Parts between full stops, colons and semicolons count as sentences."""
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', json.dumps(catalogue(), ensure_ascii=False))
    assert [s for text in strings for s in re.split(r"[.:;] ", text) if len(s.split()) > 20] == []


# Provenance

SOURCES = {
    rule: (set(re.findall(r"\b[HFRG]\b", own)), set(re.findall(r"D\d+", decided)))
    for rule, own, decided in re.findall(
        r"^\| (R-\w+-\d+) \|.*\| ([^|]*?)((?:; others? [^|]*)?) \|$",
        rulebook.BOOK.read_text("utf-8"),
        re.MULTILINE,
    )
}
"""By rule, the sources of the rulebook's column, and the decisions for the others."""
SILENT = {"D1": {"H"}, "D2": {"H"}, "D24": {"H"}, "D28": {"R"}}
"""Decisions that fill what these sources leave open, and no other."""


@pytest.mark.parametrize("name", profile_names())
def test_each_sentence_cites_a_rule_of_its_source_or_a_decision(name):
    """D1, D2, D24, D25, D28, D29, D31: the rulebook's column of sources has the profile's own."""
    rules = ruleset(name)
    for sentence in describe(rules):
        main, *also = sentence.rules
        assert rules.source in SILENT.get(main, {rules.source}), sentence
        if main in SOURCES:
            assert rules.source in SOURCES[main][0], sentence
        elif main in {"D25", "D29", "D31"} and also[0] in SOURCES:
            own, decided = SOURCES[also[0]]
            assert rules.source not in own and main in decided | {"D31"}, sentence


def test_players_and_bonus_of_each_source():
    """D1, D24: F and R name their players, and F says that going out earns nothing."""
    cited = {
        name: {sentence.id: sentence.rules for sentence in describe(ruleset(name))}
        for name in ("500-rum", "500-rummy", "rummy-500")
    }
    found = {name: (ids["players.alone"], ids["points.no_bonus"]) for name, ids in cited.items()}
    assert found == {
        "500-rum": (("D1",), ("D24",)),
        "500-rummy": (("R-DEAL-6",), ("R-SCORE-1",)),
        "rummy-500": (("R-DEAL-6",), ("R-SCORE-1",)),
    }
