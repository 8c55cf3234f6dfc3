"""`rum500 play`: what a typed line means, and what there is to choose from."""

from __future__ import annotations

import pytest

from rum500 import profile_names, ruleset
from rum500.cards import card_text, cards_from_text
from rum500.cli.terminal.help_text import help_lines
from rum500.cli.terminal.typed_commands import (
    SUGGESTED,
    Command,
    Line,
    Mistyped,
    SuggestionNumber,
    Typed,
    read_line,
)
from rum500.match import alternatives, in_order, suggestions
from rum500.rules.actions import Take
from rum500.rules.notation import VERBS
from tests.support.table import table

HAND = cards_from_text("2S 3S QD KD JK")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("?", [Command("help")]),
        ("  SORT rank ", [Command("sort", "rank")]),
        ("3", [SuggestionNumber(3)]),
        ("d; x 4", [Typed("d"), Typed("x KD")]),
        ("m 1-3", [Typed("m 2S 3S QD")]),
        ("m 1 2 5", [Typed("m 2S 3S JK")]),
        ("l 3 on 4", [Typed("l QD on 4")]),
        ("t 5", [Typed("t 5")]),
        ("take 5 cards", [Typed("take 5 cards")]),
        ("c 10d", [Typed("c 10d")]),
        ("m 6S-9S", [Typed("m 6S-9S")]),
        ("", []),
    ],
)
def test_a_line_is_commands_numbers_and_plays(text: str, lines: list[Line]) -> None:
    assert read_line(text, HAND) == lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("QD", "say what to do with QD: m melds, l lays off, x discards, t takes"),
        ("discrad QD", "'discrad' is nothing to do here; did you mean discard or draw? type ? for help"),
        ("rumy", "'rumy' is nothing to do here; type ? for help"),
        ("x 6", "your cards are numbered 1 to 5, there is no 6"),
        ("m 0-2", "your cards are numbered 1 to 5, there is no 0"),
    ],
)
def test_a_line_that_means_nothing_is_answered(text: str, message: str) -> None:
    with pytest.raises(Mistyped) as error:
        read_line(text, HAND)
    assert str(error.value) == message


@pytest.mark.parametrize("word", SUGGESTED)
def test_what_is_suggested_stands_in_the_help_and_ends_no_deal(word: str) -> None:
    helped = " ".join(
        line.replace(",", "") for name in profile_names() for line in help_lines(ruleset(name, ("H6",)))
    )
    assert word in helped.split()
    assert VERBS.get(word) != VERBS["end"]


def test_a_hand_is_sorted_by_suit_or_by_rank() -> None:
    """R-DEAL-4."""
    hand = cards_from_text("JK KD 2S AC 2H")
    assert [card_text(card) for card in in_order(hand, "suit")] == ["2S", "2H", "KD", "AC", "JK"]
    assert [card_text(card) for card in in_order(hand, "rank")] == ["AC", "2S", "2H", "KD", "JK"]


def test_choices_are_the_best_and_none_is_part_of_another() -> None:
    state = table("500-rum", ["6S 7S 8S 9S 9H 9D 2C", "2D"], melds=["10S JS QS"], phase="play")
    found = [(type(choice.action).__name__, choice.points) for choice in suggestions(state, 0)]
    assert found == [("Meld", 30), ("LayOff", 30), ("Meld", 27)]
    assert suggestions(state, 1) == []
    found = alternatives(state, cards_from_text("9S"), lay=True)
    assert [choice.points for choice in found] == [9]


def test_a_take_is_offered_for_what_it_makes_possible() -> None:
    state = table("500-rum", ["6S 7S KD KH", "2D"], pile="KC 3H 8S 4D")
    found = {(choice.action, choice.points) for choice in suggestions(state, 0)}
    assert found == {(Take(4), 30), (Take(2), 21)}
