"""Rule sets written as TOML and read again; errors are reported with their line."""

from __future__ import annotations

import dataclasses
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500.rules.options import stated
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from tests.support.depth import depth
from tests.support.rulesets import line_of, rulesets, toml_problems


@settings(max_examples=depth(30, 100))
@given(rulesets())
def test_toml_round_trip(rules):
    text = rules.to_toml()
    assert Ruleset.from_toml(text) == rules
    assert Ruleset.from_toml(text).to_toml() == text
    assert Ruleset.from_toml(text).house_rules == rules.house_rules
    assert Ruleset(**rules.options()) == rules  # type: ignore[arg-type]


@settings(max_examples=depth(30, 100))
@given(rulesets())
def test_every_option_has_its_line_in_toml(rules):
    assert list(tomllib.loads(rules.to_toml())) == list(stated(rules.options()))


def without(text: str, *fields: str) -> str:
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not line.startswith(tuple(f"{f} =" for f in fields))
    )


def test_options_with_a_usual_value_may_be_left_out():
    usual = {f.name: f.default for f in dataclasses.fields(Ruleset) if f.default is not dataclasses.MISSING}
    text = without(ruleset("500-rum").to_toml(), *usual)
    rules = Ruleset.from_toml(text)
    assert rules == dataclasses.replace(
        ruleset("500-rum"), title="", source="", sources=(), aliases=(), summary=""
    )


def test_missing_options_are_reported():
    text = without(ruleset("500-rum").to_toml(), "players", "ace", "hand")
    assert toml_problems(text) == [("missing", "players", None), ("missing", "ace", None)]
    assert len(toml_problems("")) == sum(
        f.default is dataclasses.MISSING for f in dataclasses.fields(Ruleset)
    )


def test_invalid_options_are_reported_before_missing_ones():
    """A file of three lines: its own faults first, then the other keys in one list."""
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml('name = "ours"\njokr = 2\nhand = "7"\n')
    told = str(caught.value)
    assert told.startswith(
        "3 problems: (1) line 2: jokr: is not an option of a rule set; did you mean jokers?; "
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
