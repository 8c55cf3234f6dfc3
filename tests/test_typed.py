"""Typed text is read alike by the library, the commands and the terminal, however it is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rum500 import Card, bots, ruleset
from rum500.cards import cards_from_text
from rum500.cli import main
from rum500.external_bots import is_level, open_bot
from rum500.rules.notation import parse_play
from rum500.rules.profiles import profile_rules
from tests.support.table import table
from tests.support.terminal import at_table

WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
ARABIC = {ord("0") + digit: chr(0x660 + digit) for digit in range(10)}

DISGUISES: dict[str, Callable[[str], str]] = {
    "full-width": lambda text: text.translate(WIDE),
    "capital": str.upper,
    "zero-width": "\N{ZERO WIDTH SPACE}".join,
    "joined": "\N{ZERO WIDTH JOINER}".join,
    "direction": lambda text: f"\N{LEFT-TO-RIGHT MARK}{text}\N{RIGHT-TO-LEFT MARK}",
    "variation": "\N{VARIATION SELECTOR-15}".join,
    "emoji": lambda text: f"{text}\N{VARIATION SELECTOR-16}",
    "digits": lambda text: text.translate(ARABIC),
    "dash": lambda text: text.replace("-", "\N{NON-BREAKING HYPHEN}"),
    "blanks": lambda text: f"\N{NO-BREAK SPACE}{text}\N{IDEOGRAPHIC SPACE}",
}
TABLE = table("rummy-500", ["6S 7S 10D KD", "2D"], pile="9S 10H", melds=["4C 5C 6C"])
READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "Card": (Card, "10♦"),
    "cards": (cards_from_text, "10d 9s jk"),
    "play": (lambda text: parse_play(text, TABLE), "lay 10d on 1"),
    "range": (lambda text: parse_play(text, TABLE), "meld 6-9s"),
    "ruleset": (ruleset, "500-rum"),
    "profile": (lambda text: profile_rules(text).name, "persian-rummy"),
    "house rule": (lambda text: ruleset("rummy-500", (text,)), "h6"),
    "variation": (lambda text: ruleset("rummy-500", ("H6",), variations=(text,)), "blind-calls"),
    "bot": (lambda text: bots.get(text).name, "greedy"),
    "opened bot": (lambda text: open_bot(text).name, "strong"),
    "level": (is_level, "expert:worlds=64"),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("reader", READERS)
def test_a_disguised_text_reads_like_the_plain_one(reader: str, disguise: str) -> None:
    read, text = READERS[reader]
    assert read(DISGUISES[disguise](text)) == read(text)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_commands_and_the_terminal_read_disguised_text(
    disguise: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wear = DISGUISES[disguise]
    plain = ["rules", "rummy-500", "--house-rule", "h6", "--variation", "blind-calls"]
    printed = []
    for words in (
        plain,
        [word if word.startswith("--") or word == "rules" else wear(word) for word in plain],
    ):
        assert main(words) == 0
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    state = table("500-rum", ["6S 10D KD", "2D"], phase="play")
    at_table(state, wear("x 10d"))
    assert Card("10D") in state.pile
