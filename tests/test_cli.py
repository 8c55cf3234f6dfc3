"""The command line: the output of each command, exit codes, and errors of input in one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from cyclopts import App

from rum500 import bots
from rum500.cli import COMMANDS, application, main
from rum500.cli.user_error import nearest, one_line
from rum500.rules.named_variations import variations
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset

ROOT = Path(__file__).parent.parent


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out = capsys.readouterr()
    return code, out.out, out.err


def good(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    return out


# --- the frame -------------------------------------------------------------------------------------


def test_help_lists_every_command_without_loading_any(capsys: pytest.CaptureFixture[str]) -> None:
    out = good(capsys, "--help")
    assert [line.split()[1] for line in out.splitlines() if re.match(r"│ [a-z]", line)] == list(COMMANDS)
    loaded = (
        "import sys; from rum500.cli import main; main(['--help']);"
        "print([name for name in sys.modules if name.startswith('rum500.cli.')])"
    )
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    loaded = told.stdout.splitlines()[-1]
    assert not [name for name in COMMANDS if f"rum500.cli.{name}'" in loaded]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert re.fullmatch(r"rum500 \d+\.\d+\.\d+\n", good(capsys, "--version"))


def test_python_m_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rum500", "melds", "--count"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "369\n", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["pley"],
            "rum500: there is no command 'pley'; did you mean play or replay? there are serve, play, ",
        ),
        (["rules"], "rum500 rules: PROFILE is missing; see rum500 rules --help"),
        (
            ["rules", "persian", "extra"],
            "rum500 rules: 'extra' is one word too many; see rum500 rules --help",
        ),
        (["rules", "persian", "--jsn"], "rum500 rules: unknown option: --jsn. Did you mean --json?"),
        (["rules", "persion"], "rum500 rules: there is no profile 'persion'; did you mean persian"),
        (["rules", "persian", "--diff", "x"], "rum500 rules: there is no profile 'x'; "),
        (
            ["rules", "persian", "--house-rule", "H1,H9"],
            "rum500 rules: 2 problems: (1) top_must_meld: H1 adds",
        ),
        (["rules", "nowhere.toml"], "rum500 rules: nowhere.toml: No such file or directory"),
        (["profiles", "500"], "rum500 profiles: there is no profile '500'; "),
        (["melds", "QX"], "rum500 melds: 'QX' is not a card: "),
        (
            ["melds", "QD", "QD"],
            "rum500 melds: QD is given two times, and the cards of 500 Rum have it one time",
        ),
        (["melds", "JK"], "rum500 melds: JK is given one time, and the cards of 500 Rum have it no times"),
        (["melds", "--players", "9"], "rum500 melds: players: 500 Rum is for 2 to 8 players, not 9 (D1)"),
        (
            ["melds", "--players", "x"],
            "rum500 melds: --players: found 'x', expected a whole number",
        ),
        (["play", "--bot", "gredy"], "rum500 play: --bot: there is no bot 'gredy'; did you mean greedy?"),
        (
            ["play", "--seed", "two"],
            "rum500 play: --seed: found 'two', expected a whole number",
        ),
        (["play", "--colour", "no"], 'rum500 play: invalid value "no" for --colour. Choose from: "auto", '),
        (["play", "--profile", "persian", "--players", "3"], "rum500 play: players: Persian Rummy is for 4 "),
        (
            ["play", "--profile", "persian", "--target", "5"],
            "rum500 play: target: the match is over a number",
        ),
        (["play", "--name", "a:b"], "rum500 play: --name: 'a:b' is not a name: 1 to 16 characters, none of "),
        (["play", "here.rum500"], "rum500 play: 'here.rum500' is one word too many; to continue a match: "),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1
    assert err.endswith("\n")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("restock = false", 'restock = "no"'), "line 32: restock: "),
        (("restock = false", "restok = false"), "restok"),
        (("match_end = ", "match_end "), "line "),
    ],
)
def test_a_ruleset_file_that_is_wrong_says_where(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ruleset("500-rum").to_toml().replace(*change), encoding="utf-8")
    code, out, err = run(capsys, "rules", str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rum500 rules: {path}: ")
    assert message in err


def test_a_ruleset_file_is_as_good_as_a_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(good(capsys, "rules", "rummy-500", "--house-rule", "H6", "--toml"), encoding="utf-8")
    assert good(capsys, "rules", str(path)) == good(capsys, "rules", "rummy-500", "--house-rule", "h6")


def test_a_file_that_is_no_text_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"name = '\xff'")
    assert run(capsys, "rules", str(path))[::2] == (
        2,
        f"rum500 rules: {path}: line 1: is not UTF-8 text (byte 9)\n",
    )


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m rum500 melds --profile rummy-500 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_one_line() -> None:
    assert one_line("a\n  b\n") == "a b"
    assert nearest("pley", ["play", "replay", "rules"]) == "did you mean play or replay? "
    assert nearest("zzz", ["play"]) == ""


# --- profiles --------------------------------------------------------------------------------------


def test_profiles_json_has_every_option_of_every_profile(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(good(capsys, "profiles", "--json"))
    assert [profile["name"] for profile in found] == list(profile_names())
    persian = next(profile for profile in found if profile["name"] == "persian-rummy")
    assert persian["aliases"] == ["persian"]
    assert (persian["players"], persian["source"], persian["joker_points"]) == ([4], "H", 20)
    assert persian.keys() == ruleset("persian").options().keys()


def test_profiles_tells_each_in_a_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    out = good(capsys, "profiles")
    assert out.startswith("500-rum: 500 Rum, 2 to 8 players, source H\n")
    assert "  also rummy500, joker-rummy\n" in out
    assert max(map(len, out.splitlines())) < 80


def test_profiles_with_a_name_lists_all_options(capsys: pytest.CaptureFixture[str]) -> None:
    out = good(capsys, "profiles", "michigan")
    assert (
        "    hands                        winner       cards held: against the holder, or for the winner\n"
        in out
    )
    assert out.count("\n    ") == len(ruleset("michigan").options()) - 6


# --- rules -----------------------------------------------------------------------------------------


def test_rules_gives_each_sentence_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    out = good(capsys, "rules", "Persian Rummy", "--house-rule", "H5", "--house-rule", "h6")
    assert out.startswith("Persian Rummy (persian-rummy), with H5 H6\n")
    assert "- Jokers are melded only together, three or four. (R-MELD-4)\n" in out
    assert "“Rummy!”" in out


@pytest.mark.parametrize("profile", ["michigan-rum", "michigan"])
def test_michigan_rum_is_not_taken_for_the_chip_game(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the command, in the README, and on the page in every language."""
    out = " ".join(good(capsys, "rules", profile).split())
    assert "It is not the chip game Michigan Rummy." in out.partition(" Players")[0]
    readme = (ROOT / "README.md").read_text("utf-8").splitlines()
    (row,) = [line for line in readme if "`michigan-rum`" in line]
    assert "not the chip game Michigan Rummy" in row
    named = {"fa": "میشیگان رامی با ژتون"}
    for language in ("de", "fr", "es", "fa"):
        page = json.loads((ROOT / "web" / "messages" / language / "game.json").read_text("utf-8"))
        assert named.get(language, "Michigan Rummy") in page["game_profile_michigan_rum_summary"]


def test_rules_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(good(capsys, "rules", "michigan", "--json"))
    assert told["name"] == "michigan-rum"
    assert {"heading", "text", "rules", "id", "params"} == told["rules"][0].keys()
    assert "R-SCORE-4" in {rule for sentence in told["rules"] for rule in sentence["rules"]}


def test_rules_diff(capsys: pytest.CaptureFixture[str]) -> None:
    out = good(capsys, "rules", "persian-rummy", "--diff", "persian-rummy-fosdick")
    assert out.splitlines()[1:] == [
        "- Cards from 2 to 9: here they count their pips; there they count 5 each.",
        "  (low_cards)",
        "- The worth of a low ace: here 1 point; there 5 points. (ace_low)",
    ]
    told = json.loads(good(capsys, "rules", "persian-rummy", "--diff", "persian-rummy-fosdick", "--json"))
    assert [entry["field"] for entry in told["differences"]] == ["low_cards", "ace_low"]
    assert "same rules" in good(capsys, "rules", "persian", "--diff", "persian-rummy")


# --- melds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (["--profile", "500-rum"], 369),
        (["--profile", "persian-rummy"], 371),
        (["--profile", "persian-rummy-fosdick"], 371),
        (["--profile", "persian-rummy-gamerules"], 331),
        (["--profile", "rummy-500"], 9703),
        (["--profile", "500-rum", "--players", "5"], 369),
        (["--profile", "500-rummy", "--players", "5"], 455 + 304),
    ],
)
def test_melds_counts_the_melds_of_a_full_pack(
    capsys: pytest.CaptureFixture[str], words: list[str], number: int
) -> None:
    """The numbers of the rulebook's section 5; R-MELD-1, R-MELD-2, R-MELD-4, R-MELD-5, D20."""
    assert good(capsys, "melds", "--count", *words) == f"{number}\n"


def test_melds_in_some_cards(capsys: pytest.CaptureFixture[str]) -> None:
    """R-SCORE-2: a low ace counts 1, a high one 15 (D8)."""
    assert good(capsys, "melds", "AS", "2S", "3S", "KS,QS").splitlines() == [
        "run    AS 2S 3S    6",
        "run    QS KS AS   35",
        "two melds",
    ]


def test_melds_doubles_four_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """R-SCORE-3: four 6s at once 48, three 18; four jokers at once 160."""
    found = json.loads(
        good(
            capsys,
            "melds",
            "--json",
            "--profile",
            "persian",
            *["6S", "6H", "6D", "6C", "JK", "JK", "JK", "JK"],
        )
    )
    points = {" ".join(meld["cards"]): (meld["points"], meld["doubled"], meld["kind"]) for meld in found}
    assert points["6S 6H 6D 6C"] == (48, True, "set")
    assert points["6S 6H 6D"] == (18, False, "set")
    assert points["JK JK JK JK"] == (160, True, "jokers")
    assert points["JK JK JK"] == (60, False, "jokers")
    assert len(found) == 7


def test_melds_says_what_each_joker_stands_for(capsys: pytest.CaptureFixture[str]) -> None:
    """R-MELD-5; with H3 two jokers in a set are not named."""
    out = good(capsys, "melds", "--profile", "rummy-500", "--house-rule", "H3", "JK", "JK", "6S")
    assert "set    6S JK JK         36\n" in out
    assert "run    JK=5S 6S JK=7S   36\n" in out


def test_melds_tells_a_low_ace_from_a_high_one(capsys: pytest.CaptureFixture[str]) -> None:
    """D4, D8: where jokers are wild an ace-to-king run is told apart by the end its ace takes."""
    cards = ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS"]
    runs = [
        meld["cards"]
        for meld in json.loads(good(capsys, "melds", "--json", "--profile", "rummy-500", *cards))
    ]
    assert [run[0] for run in runs if len(run) == 13] == ["AS=1S", "2S"]
    assert good(capsys, "melds", "--count", *cards) == "76\n"


def test_play_tells_what_each_level_does(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its whole sentence, which names the deals of its budget."""
    words = " ".join(good(capsys, "play", "--help").replace("│", " ").split())
    for level in bots.levels():
        assert f"{level.name}: {level.sentence}" in words
        if "worlds" in level.budget:
            assert f" up to {level.budget['worlds']:,} deals" in level.sentence


# --- numbers ---------------------------------------------------------------------------------------


def numeric_options(app: App, *words: str) -> Iterator[tuple[tuple[str, ...], str, type]]:
    """Yield the words of each command, an option of it that takes a number, and the number's type."""
    for name in app:
        if not name.startswith("-"):
            yield from numeric_options(app[name], *words, name)
    if words and app.default_command:
        for argument in app.assemble_argument_collection():
            for kind in {argument.hint, *get_args(argument.hint)} & {int, float}:
                yield words, argument.name, kind


@pytest.mark.parametrize(("words", "option", "kind"), list(numeric_options(application())))
def test_numbers_are_numbers_in_every_command(
    words: tuple[str, ...], option: str, kind: type, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = ("2.6", "2.0", "1e3", "0x2", "2_0") if kind is int else ()
    for text in (*whole, "nan", "inf", "none", "two", "", "\N{SUPERSCRIPT TWO}x"):
        code, out, err = run(capsys, *words, f"{option}={text}")
        wanted = "a whole number" if kind is int else "a number"
        assert (code, out, err) == (
            2, "", f"rum500 {words[0]}: {option}: found {text!r}, expected {wanted}\n"
        )  # fmt: skip


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seed_out_of_range_is_refused_in_every_command(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    for words, option, _ in numeric_options(application()):
        if option == "--seed":
            code, out, err = run(capsys, *words, "club", f"{option}={seed}")
            assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("profile", profile_names())
def test_title_and_summary_follow_the_variations(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = ruleset(profile)
    for name, variation in variations().items():
        try:
            changed = ruleset(profile, variations=(name,))
        except RulesetError:
            continue
        title, summary = good(capsys, "rules", profile, "--variation", name).split("\n\n")[0].split("\n", 1)
        assert title.startswith(f"{rules.title.partition(',')[0]} ({profile}), with ")
        assert variation.title in " ".join(summary.split())
        assert rules.summary not in " ".join(summary.split())
        file = Ruleset.from_toml(good(capsys, "rules", profile, "--variation", name, "--toml"))
        assert (file.diff(changed), rules.summary in file.summary) == ((), False)
