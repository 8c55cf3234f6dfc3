"""Rule sets: validation and its reasons, house rules, variations, changes, TOML, differences, sentences."""

from __future__ import annotations

import copy
import dataclasses
import doctest
import inspect
import pickle
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rum500.rules._describe
import rum500.rules._registry
import rum500.rules._words
import rum500.rules.ruleset
from rum500.cards import JOKER, pack
from rum500.rules._options import BY_FIELD, IDENTITY, OPTIONS, RULE_FIELDS
from rum500.rules.ruleset import (
    HOUSE_RULES,
    Problem,
    Ruleset,
    RulesetError,
    UnknownProfile,
    describe,
    profile_names,
    profiles,
    ruleset,
    variations,
)


def codes(make, *args, **kwargs) -> list[tuple[str, str]]:
    """The code and field of every problem that refuses this."""
    with pytest.raises(RulesetError) as caught:
        make(*args, **kwargs)
    for problem in caught.value.problems:
        assert problem.message
    return [(problem.code, problem.field) for problem in caught.value.problems]


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any valid rule set."""
    pick, flag = (lambda *of: draw(st.sampled_from(of))), (lambda: draw(st.booleans()))
    number = lambda low, high: draw(st.integers(low, high))  # noqa: E731
    line = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), max_size=20)
    name = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}", fullmatch=True)
    names = draw(st.lists(name, min_size=1, max_size=4, unique=True))

    sides = pick(0, 2)
    players = (4,) if sides else tuple(sorted(draw(st.sets(st.integers(2, 8), min_size=1))))
    second = pick(0, 2, 3, 4, 5, 6, 7, 8)
    two = 0 < second <= players[-1]
    kind = pick("none", "wild") if two else pick("none", "wild", "rank")
    jokers = {"none": 0, "wild": pick(1, 2), "rank": pick(3, 4)}[kind]
    most = {n: ((2 if 0 < second <= n else 1) * (52 + jokers) - 1) // n for n in players}
    hand = min([51, *(most[n] for n in players if n != 2)])
    ace = pick("both", "high")
    top, out = flag(), pick("end", "pass")
    match = pick("target", "deals")
    count = pick("deal_end", "as_laid")
    restock = flag()
    return Ruleset(
        name=names[0],
        title=draw(line),
        source=pick("", "H", "F", "R", "G"),
        sources=tuple(draw(st.lists(line, max_size=2))),
        aliases=tuple(names[1:]),
        summary=draw(line),
        players=players,
        sides=sides,
        second_pack_from=second,
        jokers=jokers,
        joker_kind=kind,
        hand=number(1, hand),
        hand_two=number(1, min(51, most.get(2, 51))),
        ace=ace,
        same_suit_in_sets=second > 0 and flag(),
        unnamed_jokers=kind == "wild" and (jokers == 2 or two) and flag(),
        top_must_meld=top,
        top_rule_is_house=top and flag(),
        keep_upcard=not top and flag(),
        claim=flag(),
        go_out=pick("either", "meld", "discard"),
        stock_out=out,
        restock=restock,
        upcard_free_when_stock_empty=not top and out == "end" and flag(),
        restock_limit=number(1, 99) if restock else 2,
        no_progress_rounds=number(1, 99),
        low_cards=pick("pips", "five"),
        ace_low=0 if ace == "high" else number(1, 15),
        joker_points=number(1, 100) if jokers else 0,
        doubles=pick("none", "sets", "melds"),
        count=count,
        going_out_bonus=number(0, 10_000),
        hands=pick("holder", "winner"),
        match=match,
        target=number(1, 1_000_000) if match == "target" else 500,
        deals=number(1, 1_000) if match == "deals" else 2,
        max_deals=number(0, 1_000_000) if match == "target" else 0,
        match_end=pick("deal", "at_once") if count == "as_laid" and match == "target" else "deal",
        ties=pick("deciding", "drawn"),
        match_bonus=number(0, 10_000),
        settlement=pick("difference", "totals", "none"),
        draw_for_deal=pick("low", "partners") if sides else "low",
        dealer_keeps_score=flag(),
    )


# What a rule set is


def test_options_are_the_fields_of_a_rule_set_in_order():
    assert [option.field for option in OPTIONS] == [field.name for field in dataclasses.fields(Ruleset)]
    assert set(RULE_FIELDS) | set(IDENTITY) | {"top_rule_is_house"} == set(BY_FIELD)


def test_a_rule_set_is_frozen_hashable_and_copies():
    rules = ruleset("rummy-500", house_rules=("H1",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.jokers = 1  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        rules.extra = 1  # type: ignore[attr-defined]
    assert {rules: 1}[ruleset("rummy-500", house_rules=("H1",))] == 1
    assert copy.deepcopy(rules) == pickle.loads(pickle.dumps(rules)) == rules
    assert rules.validate() == ()


def test_keywords_only():
    with pytest.raises(TypeError):
        Ruleset("500-rum")  # type: ignore[misc, call-arg]


def test_packs_hands_and_decks():
    """R-DEAL-2, D1, D20: one pack up to four players, two from five on; 13 cards for two players."""
    rules = ruleset("rummy-500")
    assert [rules.packs(n) for n in rules.players] == [1, 1, 1, 2, 2, 2, 2]
    assert [rules.hand_size(n) for n in rules.players] == [13, 7, 7, 7, 7, 7, 7]
    assert rules.deck(4) == pack(2)
    assert rules.deck(4).count(JOKER) == 2
    assert rules.deck(5) == pack(2) * 2
    assert len(rules.deck(5)) == 108
    assert ruleset("michigan-rum").deck(2) == pack(0)
    assert len(ruleset("persian").deck(4)) == 56


@pytest.mark.parametrize("method", ["packs", "hand_size", "deck", "check_players"])
def test_a_number_of_players_outside_the_profile_is_refused(method):
    """D1"""
    with pytest.raises(RulesetError, match=r"500 Rummy is for 2 to 6 players, not 7"):
        getattr(ruleset("500-rummy"), method)(7)
    with pytest.raises(RulesetError, match=r"Persian Rummy is for 4 players, not 3"):
        getattr(ruleset("persian-rummy"), method)(3)


def test_partners_sit_opposite():
    """R-MATCH-5"""
    assert [ruleset("persian-rummy").side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [ruleset("500-rum").side(seat) for seat in range(4)] == [0, 1, 2, 3]


# Impossible combinations: what is asked of which profile, and the problems it gives

IMPOSSIBLE = [
    ("500-rum", {"sides": 1, "players": (4,)}, [("sides", "sides")]),
    ("500-rum", {"sides": 2}, [("sides-players", "players")]),
    ("persian-rummy", {"sides": 0, "draw_for_deal": "partners"}, [("partners-sides", "draw_for_deal")]),
    ("500-rum", {"draw_for_deal": "partners"}, [("partners-sides", "draw_for_deal")]),
    ("500-rum", {"second_pack_from": 1}, [("second-pack", "second_pack_from")]),
    (
        "500-rummy",
        {"second_pack_from": 0},
        [("same-suit-one-pack", "same_suit_in_sets")],
    ),
    ("persian-rummy", {"same_suit_in_sets": True}, [("same-suit-one-pack", "same_suit_in_sets")]),
    ("500-rum", {"jokers": 2}, [("jokers-kind", "joker_kind")]),
    ("500-rum", {"joker_points": 15}, [("jokers-points", "joker_points")]),
    ("500-rum", {"joker_kind": "wild", "joker_points": 15}, [("jokers-number", "jokers")]),
    ("rummy-500", {"joker_points": 0}, [("jokers-points", "joker_points")]),
    ("rummy-500", {"jokers": 3}, [("jokers-wild", "jokers")]),
    ("persian-rummy", {"joker_kind": "wild"}, [("jokers-wild", "jokers")]),
    ("persian-rummy", {"jokers": 2}, [("jokers-rank", "jokers")]),
    ("persian-rummy", {"second_pack_from": 4}, [("jokers-two-packs", "second_pack_from")]),
    (
        "500-rum",
        {"jokers": 4, "joker_kind": "rank", "joker_points": 20},
        [("jokers-two-packs", "second_pack_from")],
    ),
    ("500-rum", {"unnamed_jokers": True}, [("H3-no-wild-jokers", "unnamed_jokers")]),
    (
        "rummy-500",
        {"unnamed_jokers": True, "jokers": 1, "players": (2, 3, 4)},
        [("H3-one-joker", "unnamed_jokers")],
    ),
    ("500-rum", {"hand": 13}, [("hands-too-large", "hand")]),
    ("500-rum", {"hand_two": 26}, [("hands-too-large", "hand_two")]),
    ("persian-rummy", {"hand": 14}, [("hands-too-large", "hand")]),
    ("500-rum", {"ace": "high"}, [("ace-high-only", "ace_low")]),
    ("500-rum", {"ace_low": 0}, [("ace-low-worthless", "ace_low")]),
    ("rummy-500", {"top_rule_is_house": True}, [("H1-not-set", "top_rule_is_house")]),
    ("500-rum", {"top_rule_is_house": True}, [("H1-already", "top_rule_is_house")]),
    ("500-rum", {"keep_upcard": True}, [("H4-top-must-meld", "keep_upcard")]),
    (
        "500-rum",
        {"upcard_free_when_stock_empty": True},
        [("upcard-free-top-must-meld", "upcard_free_when_stock_empty")],
    ),
    (
        "rummy-500",
        {"upcard_free_when_stock_empty": True, "stock_out": "pass"},
        [("upcard-free-pass", "upcard_free_when_stock_empty")],
    ),
    ("500-rum", {"match_end": "at_once"}, [("at-once-not-counted", "match_end")]),
    (
        "michigan-rum",
        {"match_end": "at_once", "match": "deals"},
        [("at-once-no-target", "match_end")],
    ),
    ("persian-rummy", {"max_deals": 5}, [("max-deals", "max_deals")]),
    ("persian-rummy", {"target": 300}, [("idle", "target")]),
    ("500-rum", {"deals": 4}, [("idle", "deals")]),
    ("500-rum", {"restock_limit": 3}, [("idle", "restock_limit")]),
    ("500-rum", {"aliases": ("500-rum",)}, [("alias", "aliases")]),
    ("500-rum", {"aliases": ("a", "a")}, [("order", "aliases")]),
    # single values
    ("500-rum", {"players": ()}, [("empty", "players")]),
    ("500-rum", {"players": (1, 2)}, [("range", "players")]),
    ("500-rum", {"players": (4, 9)}, [("range", "players")]),
    ("500-rum", {"players": (4, 3)}, [("order", "players")]),
    ("500-rum", {"players": (3, 3)}, [("order", "players")]),
    ("500-rum", {"players": 4}, [("type", "players")]),
    ("500-rum", {"players": (True, 2)}, [("type", "players")]),
    ("500-rum", {"hand": 0}, [("range", "hand")]),
    ("500-rum", {"hand": "7"}, [("type", "hand")]),
    ("500-rum", {"hand": True}, [("type", "hand")]),
    ("500-rum", {"claim": 1}, [("type", "claim")]),
    ("500-rum", {"ace": "low"}, [("choice", "ace")]),
    ("500-rum", {"ace": None}, [("type", "ace")]),
    ("500-rum", {"source": "X"}, [("choice", "source")]),
    ("500-rum", {"target": 0}, [("range", "target")]),
    ("500-rum", {"target": 10**5000}, [("range", "target")]),
    ("500-rum", {"no_progress_rounds": 0}, [("range", "no_progress_rounds")]),
    ("rummy-500", {"restock": True, "restock_limit": 0}, [("range", "restock_limit")]),
    ("500-rum", {"name": "My Game"}, [("name", "name")]),
    ("500-rum", {"name": ""}, [("name", "name")]),
    ("500-rum", {"title": "two\nlines"}, [("text", "title")]),
    ("500-rum", {"sources": ("one", 2)}, [("type", "sources")]),
    ("500-rum", {"jokr": 2}, [("unknown-field", "jokr")]),
]


@pytest.mark.parametrize(("name", "changes", "problems"), IMPOSSIBLE)
def test_impossible_rule_sets_are_refused(name, changes, problems):
    """H1, H3, H4, D1, D2, D5, D7, D8, D14, D23, R-MELD-4, R-MELD-5, R-DEAL-1, R-DEAL-2, R-MATCH-1"""
    assert codes(ruleset(name).replace, **changes) == problems
    assert codes(ruleset, name, **changes) == problems
    if "jokr" not in changes:
        values = {**ruleset(name).options(), **changes}
        assert codes(Ruleset, **values) == problems


def test_every_combination_that_is_checked_has_a_case():
    """No check is without a test: each code in their source is met above."""
    text = inspect.getsource(rum500.rules._combinations) + inspect.getsource(rum500.rules._validation)
    met = {problem[0] for _, _, problems in IMPOSSIBLE for problem in problems}
    written = set(re.findall(r'(?:_no|Problem)\(\s*"([A-Za-z0-9-]+)"', text))
    assert written == met


def test_all_problems_are_told_not_only_the_first():
    changes = {
        "sides": 2,
        "jokers": 2,
        "hand": 60,
        "ace": "high",
        "jokr": 1,
        "deals": 0,
        "match_end": "at_once",
    }
    assert codes(ruleset("500-rum").replace, **changes) == [
        ("unknown-field", "jokr"),
        ("range", "hand"),
        ("range", "deals"),
        ("sides-players", "players"),
        ("jokers-kind", "joker_kind"),
        ("ace-high-only", "ace_low"),
        ("at-once-not-counted", "match_end"),
    ]


def test_a_problem_says_what_where_why_and_what_to_do():
    """D2"""
    with pytest.raises(RulesetError) as caught:
        ruleset("persian-rummy", same_suit_in_sets=True)
    assert caught.value.problems == (
        Problem(
            "same-suit-one-pack",
            "same_suit_in_sets",
            "D2",
            "one pack holds no card twice; set it to false, or second_pack_from to the number of players "
            "from whom on there are two packs",
        ),
    )
    assert str(caught.value) == (
        "same_suit_in_sets: one pack holds no card twice; set it to false, or second_pack_from to the number "
        "of players from whom on there are two packs (D2)"
    )
    assert caught.value.code == "ruleset.impossible"


def test_several_problems_make_one_line():
    with pytest.raises(RulesetError) as caught:
        ruleset("500-rum", hand=0, target=0)
    assert str(caught.value) == (
        "2 problems: (1) hand: must be from 1 to 51, but it is 0 (R-DEAL-2); "
        "(2) target: must be from 1 to 1000000, but it is 0 (R-MATCH-1)"
    )


def test_hands_that_just_fit():
    """R-DEAL-2: one card is turned up besides; the smallest table of two packs is not the tightest."""
    assert ruleset("500-rum", hand=12).hand == 12  # 4 x 12 + 1 = 49 of 52, 8 x 12 + 1 = 97 of 104
    assert ruleset("500-rum", hand_two=25).hand_two == 25
    with pytest.raises(RulesetError, match=r"13 cards for each of 4 players .* the 52 .* 12 at most"):
        ruleset("500-rum", hand=13)


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
    assert codes(ruleset, "rummy-500", ("H7", "", "H5")) == [("house-rule-unknown", "")] * 2
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
    rules = ruleset(name).with_variations(f"jokers-{jokers}")
    assert (rules.jokers, rules.joker_kind, rules.joker_points) == (jokers, "wild", 15)


@pytest.mark.parametrize("name", [name for name in profile_names() if name.startswith("persian")])
def test_wild_jokers_are_refused_beside_jokers_of_their_own_rank(name):
    """D9, R-MELD-4"""
    assert codes(ruleset, name, variations=("jokers-2",)) == [("variation-refused", "joker_kind")]


def test_variations_go_with_house_rules_and_changes():
    """D9, H3"""
    rules = ruleset("500-rummy", ("H3",), variations=("pips", "jokers-2"), joker_points=25)
    assert rules.house_rules == ("H3",)
    assert rules.joker_points == 25
    assert rules.low_cards == "pips"
    assert ruleset("rummy-500", variations="jokers-1").jokers == 1


def test_variations_that_change_nothing_or_contradict_are_refused():
    assert codes(ruleset, "500-rum", variations=("pips",)) == [("variation-refused", "low_cards")]
    assert codes(ruleset, "500-rum", variations=("jokers-1", "jokers-2")) == [
        ("variation-contradiction", "jokers")
    ]
    with pytest.raises(RulesetError, match="'joker-2'; did you mean jokers-2"):
        ruleset("500-rum", variations=("joker-2",))


def test_variations_name_their_source():
    assert list(variations()) == ["pips", "jokers-1", "jokers-2"]
    for variation in variations().values():
        assert variation.source == "F"
        assert set(variation.sets) <= set(RULE_FIELDS)
        assert set(variation.unless) <= set(RULE_FIELDS)


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


# TOML


@given(rulesets())
def test_toml_round_trip(rules):
    text = rules.to_toml()
    assert Ruleset.from_toml(text) == rules
    assert Ruleset.from_toml(text).to_toml() == text
    assert Ruleset.from_toml(text).house_rules == rules.house_rules
    assert Ruleset(**rules.options()) == rules  # type: ignore[arg-type]


@given(rulesets())
def test_every_option_has_its_line_in_toml(rules):
    assert list(tomllib.loads(rules.to_toml())) == [option.field for option in OPTIONS]


def without(text: str, *fields: str) -> str:
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not line.startswith(tuple(f"{f} =" for f in fields))
    )


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


def toml_problems(text: str) -> list[tuple[str, str, int | None]]:
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml(text)
    return [(problem.code, problem.field, problem.line) for problem in caught.value.problems]


def test_options_with_a_usual_value_may_be_left_out():
    usual = {f.name: f.default for f in dataclasses.fields(Ruleset) if f.default is not dataclasses.MISSING}
    text = without(ruleset("500-rum").to_toml(), *usual)
    rules = Ruleset.from_toml(text)
    assert rules == dataclasses.replace(
        ruleset("500-rum"), title="", source="", sources=(), aliases=(), summary=""
    )


def test_missing_options_are_told():
    text = without(ruleset("500-rum").to_toml(), "players", "ace", "hand")
    assert toml_problems(text) == [("missing", "players", None), ("missing", "ace", None)]
    assert len(toml_problems("")) == sum(
        f.default is dataclasses.MISSING for f in dataclasses.fields(Ruleset)
    )


def test_what_is_wrong_is_told_before_what_is_missing():
    """A file of three lines: its own faults first, then the other keys in one list."""
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml('name = "ours"\njokr = 2\nhand = "7"\n')
    told = str(caught.value)
    assert told.startswith(
        "3 problems: (1) line 2: jokr: is no option of a rule set; did you mean jokers?; "
        '(2) line 3: hand: must be a whole number, but it is "7" (R-DEAL-2); (3) lacks: players, sides, '
    )
    assert told.endswith(", dealer_keeps_score")
    assert len(told) < 600
    assert len(caught.value.problems) == 2 + len(toml_problems('name = "ours"'))


def test_a_missing_option_alone_is_told_in_full():
    text = ruleset("500-rum").to_toml()
    with pytest.raises(RulesetError, match=r"^ace: is missing; add a line for it"):
        Ruleset.from_toml(without(text, "ace"))
    with pytest.raises(RulesetError, match=r"^lacks: sides, ace$"):
        Ruleset.from_toml(without(text, "ace", "sides"))


def test_unknown_keys_wrong_types_and_combinations_come_with_their_lines():
    text = ruleset("500-rum").to_toml()
    text = text.replace("jokers = 0", "jokers = 2").replace("hand = 7", 'hand = "7"')
    text = text.replace("sides = 0", "side = 0") + "\n[more]\nx = 1\n"
    assert toml_problems(text) == [
        ("unknown-field", "side", line_of(text, "side =")),
        ("unknown-field", "more", line_of(text, "[more]")),
        ("type", "hand", line_of(text, "hand =")),
        ("jokers-kind", "joker_kind", line_of(text, "joker_kind =")),
        ("missing", "sides", None),
    ]
    with pytest.raises(RulesetError, match=r'line \d+: hand: must be a whole number, but it is "7"'):
        Ruleset.from_toml(text)


def test_lines_are_right_after_strings_and_lists_over_several_lines():
    text = (
        'summary = """\nhand = 1 # not a key\n\\""" "" """""\n'
        "sources = [ # [\n  'a = ]',\n  '''c\nb = 2''', ]\n"
        '"quoted = key" = 1\n'
        "players = [\n  2,\n  9,\n]\n"
        "dotted.key = 1\n"
        "table = { a = [1] }\n"
    )
    found = toml_problems(text)
    assert ("unknown-field", "quoted = key", 8) in found
    assert ("range", "players", 9) in found
    assert ("unknown-field", "dotted", 13) in found
    assert ("unknown-field", "table", 14) in found
    assert ("text", "summary", 1) in found
    assert ("text", "sources", 4) in found


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("name = ", 1, 8),
        ('a = 1\nname = "x', 2, 10),
        ("a = 1\nb = 2\na = 3", 3, 6),
        ("a = 1\n  ? = 2", 2, 3),
        ("a = [1, 2", 1, 10),
    ],
)
def test_syntax_errors_have_line_and_column(text, line, column):
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml(text)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == ("syntax", line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: not valid TOML: ")


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 5000, "[" * 300 + "]" * 300, "0x" + "f" * 9000])
def test_monstrous_values_are_refused(value):
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml(f"target = {value}")
    assert len(str(caught.value)) < 5000


@given(st.text() | st.text("[]{}='\"#\n\\ a1.,"))
def test_any_text_is_read_or_refused(text):
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml(text)
    assert "\n" not in str(caught.value)
    assert str(caught.value).encode()


@given(st.data())
def test_a_damaged_file_is_read_or_refused(data):
    text = ruleset("persian-rummy-gamerules").to_toml()
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.sampled_from(["", "\n", '"', "[", "=", "0", "x", "\x00", "é"]))
    try:
        rules = Ruleset.from_toml(text[:at] + put + text[at + 1 :])
    except RulesetError as error:
        refusal = str(error)
    else:
        refusal = ""
        assert rules.validate() == ()
    assert "\n" not in refusal


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


# Finding profiles


def test_unknown_names_list_the_nearest_and_all():
    with pytest.raises(UnknownProfile) as caught:
        ruleset("persian-rumy")
    assert str(caught.value) == (
        "there is no profile 'persian-rumy'; did you mean persian-rummy? there are "
        + ", ".join(profile_names())
    )
    assert isinstance(caught.value, LookupError)
    assert isinstance(caught.value, RulesetError)
    assert caught.value.code == "ruleset.unknown"
    assert caught.value.problems[0].code == "unknown-profile"


@pytest.mark.parametrize("name", ["", " ", "../500-rum", "chess", "rummy", "500-rum.toml", "R", "gin"])
def test_names_that_are_none(name):
    with pytest.raises(UnknownProfile):
        ruleset(name)


@pytest.mark.parametrize("module", ["ruleset", "_words", "_describe", "_registry"])
def test_examples_in_the_docstrings(module):
    assert doctest.testmod(getattr(rum500.rules, module)).failed == 0
