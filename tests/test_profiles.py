"""The nine profiles: every cell of the table of profiles, their names, their files and their pages."""

from __future__ import annotations

import re
import runpy
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from rum500.rules.options import IDENTITY, stated
from rum500.rules.profiles import profile_aliases, profile_names, profiles, ruleset
from rum500.rules.ruleset import Ruleset

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "profiles"

# The table of profiles: a row an option, a column a profile. "–" in the table is what cannot act.

RUM, RUMMY, R500 = "500-rum", "500-rummy", "rummy-500"
P_RUM, P_RUMMY = "partnership-500-rum", "partnership-500-rummy"
PERSIAN, FOSDICK, GAMERULES, MICHIGAN = (
    "persian-rummy",
    "persian-rummy-fosdick",
    "persian-rummy-gamerules",
    "michigan-rum",
)
NAMES = (RUM, RUMMY, R500, P_RUM, P_RUMMY, PERSIAN, FOSDICK, GAMERULES, MICHIGAN)

TO_8, TO_6, FOUR = (2, 3, 4, 5, 6, 7, 8), (2, 3, 4, 5, 6), (4,)
LOW, KEEPS = ("low", False), ("partners", True)
NONE, TWO_WILD, OWN_RANK = (0, "none"), (2, "wild"), (4, "rank")

TABLE: dict[tuple[str, ...], tuple[object, ...]] = {
    ("source",): ("H", "F", "R", "H", "F", "H", "F", "G", "H"),
    ("players",): (TO_8, TO_6, TO_8, FOUR, FOUR, FOUR, FOUR, FOUR, TO_8),
    ("sides",): (0, 0, 0, 2, 2, 2, 2, 2, 0),
    ("second_pack_from",): (5, 5, 5, 0, 0, 0, 0, 0, 5),
    ("jokers", "joker_kind"): (NONE, NONE, TWO_WILD, NONE, NONE, OWN_RANK, OWN_RANK, OWN_RANK, NONE),
    ("hand",): (7,) * 9,
    ("hand_two",): (13,) * 9,
    ("ace",): ("both",) * 7 + ("high", "both"),
    ("same_suit_in_sets",): (False, True) + (False,) * 7,
    ("top_must_meld",): (True, True, False) + (True,) * 6,
    ("go_out",): ("either",) * 7 + ("meld", "either"),
    ("stock_out",): ("end",) * 7 + ("pass", "end"),
    ("low_cards",): ("pips", "five", "pips", "pips", "five", "pips", "five", "pips", "pips"),
    ("ace_low",): (1, 5, 1, 1, 5, 1, 5, 0, 1),
    ("joker_points",): (0, 0, 15, 0, 0, 20, 20, 20, 0),
    ("doubles",): ("none",) * 5 + ("sets",) * 3 + ("none",),
    ("count",): ("deal_end",) * 8 + ("as_laid",),
    ("going_out_bonus",): (0, 0, 0, 0, 0, 25, 25, 25, 0),
    ("hands",): ("holder",) * 8 + ("winner",),
    ("match",): ("target",) * 5 + ("deals",) * 3 + ("target",),
    ("target", "deals"): ((500, 2),) * 9,
    ("ties",): ("deciding",) * 5 + ("drawn",) * 3 + ("deciding",),
    ("match_bonus",): (0, 0, 0, 0, 0, 50, 50, 0, 0),
    ("settlement",): (
        *("difference", "none", "none", "difference", "none"),
        *("difference", "difference", "totals", "difference"),
    ),
    ("draw_for_deal", "dealer_keeps_score"): (LOW,) * 7 + (KEEPS, LOW),
    # not in the table: options that no source's main text turns on
    ("unnamed_jokers", "keep_upcard", "restock", "claim", "top_rule_is_house"): ((False,) * 5,) * 9,
    ("upcard_free_when_stock_empty",): (False,) * 9,
    ("match_end",): ("deal",) * 9,
    ("max_deals",): (0,) * 9,
    ("no_progress_rounds", "restock_limit"): ((4, 2),) * 9,
}


@pytest.mark.parametrize("fields", TABLE)
def test_a_row_of_the_table(fields):
    """D1, D2, D5, D7, D9, D11, D12, D13, D14, D16, D17, D23, D24, D25, D29"""
    values = {
        name: tuple(getattr(ruleset(name), field) for field in fields)
        if len(fields) > 1
        else getattr(ruleset(name), fields[0])
        for name in NAMES
    }
    assert values == dict(zip(NAMES, TABLE[fields], strict=True))


def test_the_table_has_every_option():
    told = [field for fields in TABLE for field in fields]
    assert len(told) == len(set(told))
    used = {field for name in NAMES for field in stated(ruleset(name).options())}
    assert set(told) == used - {*IDENTITY} | {"source"}


def test_there_are_nine_profiles():
    assert set(profile_names()) == set(NAMES) == set(profiles())
    assert list(profile_names()) == sorted(NAMES)
    assert ruleset(RUM) is ruleset(RUM) is profiles()[RUM]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("pinochle-rummy", RUM),
        ("500rum", RUM),
        ("rum500", RUM),
        ("rummy500", R500),
        ("joker-rummy", R500),
        ("persian", PERSIAN),
        ("michigan", MICHIGAN),
    ],
)
def test_aliases(alias, name):
    assert ruleset(alias) is ruleset(name)
    assert ruleset(alias.upper().replace("-", " ")) is ruleset(name)
    assert profile_aliases()[alias] == name


def test_there_are_no_other_aliases_and_none_is_a_name():
    """R's claim to the name Persian Rummy resolves to nothing: `persian` is H's game."""
    assert len(profile_aliases()) == 7
    assert not set(profile_aliases()) & set(NAMES)
    assert sum(len(rules.aliases) for rules in profiles().values()) == 7
    assert ruleset("Persian Rummy").source == "H"


@pytest.mark.parametrize(
    "asked", ["500 Rummy", "500_rummy", " 500-RUMMY ", "500  rummy", "500–rummy", "-500_-rummy", "500\trummy"]
)
def test_case_spaces_and_underscores_do_not_matter(asked):
    assert ruleset(asked) is ruleset(RUMMY)


# The data files


@pytest.mark.parametrize("name", NAMES)
def test_a_file_states_every_option_and_is_written_as_rule_sets_are(name):
    text = resources.files("rum500.rules").joinpath("profiles", f"{name}.toml").read_text(encoding="utf-8")
    assert list(tomllib.loads(text)) == list(stated(ruleset(name).options()))
    assert text == ruleset(name).to_toml()
    assert Ruleset.from_toml(text) == ruleset(name)
    assert ruleset(name).name == name
    assert ruleset(name).title
    assert ruleset(name).summary.endswith(".")
    assert ruleset(name).sources[0].endswith(f"({ruleset(name).source})")


# The pages

HEADINGS = [
    "Sources",
    "What differs",
    "The rules",
    "Options",
    "Scoring",
    "Match",
    "Variations",
    "House rules",
]
HEADINGS += ["Decisions"]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_for_each_profile_with_the_same_headings(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert re.findall(r"^# (.*)$", page, re.MULTILINE) == [ruleset(name).title]
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == HEADINGS
    for section in re.split(r"^## .*$", page, flags=re.MULTILINE):
        assert len(section.strip()) > 20


def test_there_is_no_other_page():
    assert {path.stem for path in PAGES.glob("*.md")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_page_says_is_what_the_profile_does(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    written = runpy.run_path(str(ROOT / "tools" / "profile_pages.py"))["written"]
    assert page == written(page, ruleset(name))
    parts = re.findall(r"<!-- generated: ([a-z]+) -->\n.*?<!-- end -->", page, re.DOTALL)
    assert parts == ["name", "differences", "rules", "options", "variations", "house"]


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        (RUM, ["H1", "H3", "H4"]),
        (R500, []),
        (PERSIAN, ["H1", "H3", "H4"]),
        (GAMERULES, ["H1", "H2", "H3", "H4"]),
        (MICHIGAN, ["H1", "H3", "H4"]),
    ],
)
def test_a_page_says_which_house_rules_are_refused(name, refused):
    """H1, H2, H3, H4, H5, H6"""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert re.findall(r"^- (H\d), .*: \*\*refused\*\*: .+\.$", page, re.MULTILINE) == refused
    accepted = re.findall(r"^- (H\d), .*: makes sense\.$", page, re.MULTILINE)
    assert sorted(refused + accepted) == ["H1", "H2", "H3", "H4", "H5", "H6"]
