"""Rule sets: what they contain, how they are found, and which are impossible and why."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
from pathlib import Path

import pytest

import rum500.rules.english
import rum500.rules.profiles
import rum500.rules.ruleset
import rum500.rules.sentences
from rum500.cards import JOKER, pack
from rum500.rules.option_types import OptionTypes
from rum500.rules.options import BY_FIELD, IDENTITY, OPTIONS, RULE_FIELDS
from rum500.rules.problems import Problem, RulesetError, UnknownProfile
from rum500.rules.profiles import profile_names, profile_rules, ruleset
from rum500.rules.ruleset import Ruleset
from tests.support.rulesets import codes


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
    ("500-rum", {"blind_claims": True}, [("blind-claims-no-claim", "blind_claims")]),
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


def test_all_problems_are_reported_not_only_the_first():
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
        profile_rules(name)


def test_a_file_is_a_rule_set_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine = ruleset("rummy-500", name="mine", hand=9)
    (tmp_path / "mine.toml").write_text(mine.to_toml(), encoding="utf-8")
    assert ruleset("mine.toml") == ruleset(tmp_path / "mine.toml") == ruleset("./mine.toml") == mine
    assert ruleset("mine.toml", ("H5",), hand=8) == mine.replace(hand=8, restock=True)
    with pytest.raises(FileNotFoundError):
        ruleset("yours.toml")


def test_what_is_wrong_with_a_file_names_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ruleset("rummy-500").to_toml().replace("jokers = 2", 'jokers = "2"'), encoding="utf-8")
    with pytest.raises(RulesetError, match=r"mine\.toml: line 13: jokers: must be a whole number") as caught:
        ruleset(file)
    assert not isinstance(caught.value, TypeError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    file.write_bytes(b"name = '\xff'")
    with pytest.raises(RulesetError, match=r"mine\.toml: line 1: is not UTF-8 text \(byte 9\)"):
        ruleset(file)


def test_names_from_outside_read_no_file():
    """The server, positions and records take any text as a name: they ask `profile_rules`."""
    package = Path(rum500.rules.profiles.__file__).parents[1]
    readers = ("server", "state", "record", "store")
    files = [path for name in readers for path in (package / name).rglob("*.py")]
    found = [path.name for path in files if re.search(r"^[^>]*\bruleset\(", path.read_text(), re.MULTILINE)]
    assert len(files) > 100
    assert found == []


def test_options_are_typed_as_they_are_declared():
    """`make check` compares the whole text; a type checker then knows every option of `ruleset`."""
    assert list(OptionTypes.__annotations__) == [option.field for option in OPTIONS]
    assert OptionTypes.__annotations__["restock"] is bool


def test_misspelt_option_is_reported_with_the_nearest_one():
    with pytest.raises(RulesetError, match=r"restok: is not an option of a rule set; did you mean restock\?"):
        ruleset("500-rum", restok=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hand": "7"}, 'hand: must be a whole number, but it is "7"'),
        ({"players": 3}, "players: must be a list of whole numbers, but it is 3"),
        ({"restock": 1}, "restock: must be true or false, but it is 1"),
    ],
)
def test_an_option_of_a_wrong_type_is_a_type_error(change, said):
    for asked in (lambda: ruleset("500-rum", **change), lambda: ruleset("500-rum").replace(**change)):
        with pytest.raises(TypeError, match=re.escape(said)) as caught:
            asked()
        assert isinstance(caught.value, RulesetError)
    with pytest.raises(RulesetError) as caught:
        ruleset("500-rum", hand=99)
    assert not isinstance(caught.value, TypeError)
