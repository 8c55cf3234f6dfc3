"""`rum500 play`: a turn at the terminal, what it shows, asks, refuses and takes back."""

from __future__ import annotations

import re

import pytest

from rum500 import State, ruleset
from rum500.cards import card_text, cards_from_text
from rum500.cli.terminal.game import TerminalGame
from rum500.cli.terminal.narration import action_words
from rum500.cli.terminal.style import Style
from rum500.rules.actions import Discard, Draw
from rum500.rules.notation import parse_play
from tests.support.table import table
from tests.support.terminal import Forgetful, Paper, at_table, persian, seated, short


def notes(screen: Paper, frame: int = -1) -> str:
    return " ".join(" ".join(screen.frames[frame]).split())


def test_an_obligation_is_spelled_out_and_kept() -> None:
    """R-DRAW-3: after a take of several the lowest must be used first; the refusal names the rule."""
    game, screen = at_table(persian(), "t 8C", "x 9D", "d")
    assert "You must use 8♣ now: meld it or lay it off" in notes(screen, 1)
    assert "you must use 8♣ now" in notes(screen, 2)
    assert "(R-DRAW-3)" in notes(screen, 2)
    assert "(R-DRAW-3)" in notes(screen, 3)
    assert game.match.state is not None
    assert card_text(game.match.state.must_use or 0) == "8C"


def test_a_take_and_melds_are_undone_until_the_discard() -> None:
    game, screen = at_table(persian(), "t 2", "m 6-8", "u", "u", "u")
    assert "4 6♣ 7♣ 8♣" in notes(screen, 2)
    assert "Taken back." in notes(screen, 3)
    assert "Pile 4" in notes(screen, 4)
    assert "Nothing to take back" in notes(screen, 5)
    assert game.match.state is not None
    assert len(game.match.state.hands[0]) == 7


def test_a_draw_is_not_undone() -> None:
    """What the stock gave is seen: it stays drawn (R-DRAW-1)."""
    game, screen = at_table(persian(), "d", "u")
    assert "Nothing to take back" in notes(screen)
    assert game.match.state is not None
    assert len(game.match.state.hands[0]) == 8


def test_several_plays_on_a_line_stop_at_the_first_that_is_refused() -> None:
    game, screen = at_table(persian(), "t 2; m 6C 7C 8C; x 5H; x AS")
    assert "Not allowed: you do not hold 5♥" in notes(screen)
    assert game.match.state is not None
    assert len(game.match.state.hands[0]) == 6


def test_the_rest_of_a_line_after_the_turn_is_not_played() -> None:
    _, screen = at_table(persian(), "d; x AS; x AH")
    assert "Your turn had ended: the rest of the line was not played." in notes(screen)


def test_a_suggestion_is_played_by_its_number() -> None:
    game, screen = at_table(persian(), "1", "1", "9")
    assert "1 take 8♣ (2 cards), then meld 6♣ 7♣ 8♣ +21" in notes(screen, 0)
    assert "No suggestion has that number." in notes(screen, 3)
    assert game.match.state is not None
    assert game.match.state.melds[-1].owner == 0


def test_a_card_that_fits_several_melds_asks_which() -> None:
    """R-LAY-2: 7 to a run and to a set; the player chooses by number."""
    state = table("500-rum", ["7S AD KD", "2H 3H"], melds=["4S 5S 6S", "7H 7D 7C"], phase="play")
    game, screen = at_table(state, "l 7S", "2")
    asked = screen.frames[1]
    assert "This can be played in several ways. Which? Type its number." in asked
    ways = {line.strip() for line in asked if line.strip().startswith(("1 lay", "2 lay"))}
    assert ways == {"1 lay 7♠ on 1 (your run)  +7", "2 lay 7♠ on 2 (your set)  +7"}
    assert game.match.state is not None
    assert [len(meld.cards) for meld in game.match.state.melds] == [3, 4]


def test_a_take_without_a_card_asks_which() -> None:
    _, screen = at_table(persian(), "take", "1")
    assert "This can be played in several ways. Which? Type its number." in notes(screen, 1)
    assert "You must use 8♣ now" in notes(screen, 2)


def test_a_number_is_a_card_of_the_hand_only_where_cards_are_laid() -> None:
    _, screen = at_table(persian(), "draw 3")
    assert "Found '3', expected nothing after 'draw' but what belongs to it." in notes(screen)


def test_a_joker_that_could_be_several_cards_asks_which() -> None:
    """R-MELD-5: the joker of 6-7 is the 5 or the 8."""
    state = table("rummy-500", ["6S 7S JK KD 2H", "2D 3H"], phase="play")
    game, screen = at_table(state, "m 6S 7S JK", "2")
    assert {line.strip() for line in screen.frames[1] if re.match(r" +\d meld", line)} == {
        "1 meld ★=5♠ 6♠ 7♠  +28",
        "2 meld 6♠ 7♠ ★=8♠  +28",
    }
    assert game.match.state is not None
    assert len(game.match.state.melds) == 1


def test_a_joker_as_the_low_ace_has_a_suit_like_every_card() -> None:
    """It is written 1♠, which can be typed; A♠ would be the high ace."""
    state = table("rummy-500", ["2S 3S JK KD 2H", "2D 3H"], phase="play")
    for look, low in (
        (Style(colour=False), "★=1♠ 2♠ 3♠"),
        (Style(symbols=False, colour=False), "JK=1S 2S 3S"),
    ):
        view = state.view(0)
        meld = parse_play(f"meld {low}", view)
        assert action_words(look, meld, view, ["Ada", "Ben"]).plain == f"meld {low}"


def test_three_of_four_is_remarked_on_where_four_at_once_double() -> None:
    """R-SCORE-3: the fourth in hand would have doubled all."""
    state = table("persian-rummy", ["6S 6H 6D 6C KD", "2D", "3D", "4D"], phase="play")
    _, screen = at_table(state, "m 6S 6H 6D", "u", "1")
    assert "You hold the fourth: all four laid at once count double." in notes(screen, 1)
    assert "1 meld 6♠ 6♥ 6♦ 6♣ +48 four at once: doubled" in notes(screen, 2)
    assert "You hold the fourth" not in notes(screen, 3)
    assert "x2" in screen.frame


@pytest.mark.parametrize(
    ("state", "typed", "shown"),
    [
        (
            table("500-rum", ["4H KD", "2D"], pile="9S", stock=""),
            "end",
            "The stock is empty. Your turn: end ends",
        ),
        (
            table("persian-rummy-gamerules", ["4H KD", "2D", "3D", "4D"], pile="9S", stock=""),
            "p",
            "The stock is empty. Your turn: p passes",
        ),
        (
            table(ruleset("rummy-500", ("H5",)), ["4H KD", "2D"], pile="9S QC", stock=""),
            "d",
            "Your turn: d makes the pile a new stock and draws, t NUMBER takes from the pile",
        ),
        (
            table(ruleset("rummy-500", ("H4",)), ["4H KD", "2D"], pile="9S"),
            "t 1",
            "Your turn: d draws, t NUMBER takes from the pile",
        ),
    ],
    ids=["end", "pass", "restock", "upcard"],
)
def test_prompt_names_the_ways_out_of_an_empty_stock(state: State, typed: str, shown: str) -> None:
    """D5, D6, H5, H4."""
    game, screen = at_table(state, typed)
    assert shown in notes(screen, 0)
    assert not any("Not allowed" in line for line in screen.frames[-1])
    assert game.match.events or game.match.state.must_use is None  # type: ignore[union-attr]


def test_a_card_that_may_not_be_discarded_is_named() -> None:
    """H4."""
    state = table(ruleset("rummy-500", ("H4",)), ["4H KD 2C", "2D 3D"], pile="9S")
    _, screen = at_table(state, "t 1", "x 9S")
    assert "m melds, l lays off, x CARD discards (not 9♠) and ends your turn" in notes(screen, 1)
    assert "(H4)" in notes(screen, 2)


def test_prompt_of_a_floater() -> None:
    """H2, D26."""
    state = table(
        ruleset("rummy-500", ("H2",)), ["", "2D 3D 9H"], pile="QC", stock="7S 2C", melds=["4S 5S 6S"]
    )
    _, screen = at_table(state, "d", "x 7S", "l 7S")
    assert "You have no cards: d draws" in notes(screen, 0)
    assert "You float, and your card fits: you must lay it off" in notes(screen, 1)
    assert "(D26)" in notes(screen, 2)
    assert "You drew 7♠, laid 7♠ on meld 1 (+7), floats, with no card left" in notes(screen)


def test_a_call_is_offered_and_explained() -> None:
    """H6: the claimed card's first play comes from pile and table alone (R-CLAIM-2)."""
    rules = ruleset("rummy-500", ("H6",))
    state = table(
        rules, ["KD 8S 9S", "2D 3D QH", "AC 5D"], pile="QC", melds=["4S 5S 6S"], turn=2, stock="7S 2C 2D"
    )
    state.apply(Draw())
    state.apply(Discard(cards_from_text("7S")[0]))
    _, screen = at_table(state, "c 1", "l 7S 8S on 1", "l 7S", "x KD")
    assert "“Rummy!”: c NUMBER calls and takes from the pile, g lets it go" in notes(screen, 0)
    assert "1 call 7♠, then lay 7♠ on 1 (your run) +7" in notes(screen, 0)
    assert "You must use 7♠ now: with cards of pile and table alone" in notes(screen, 1)
    assert "(R-CLAIM-2)" in notes(screen, 2)
    assert "called “Rummy!” and took 7♠, laid 7♠ on meld 1 (+7)" in notes(screen, 3)


def test_blind_calls_show_nothing_that_can_be_called() -> None:
    """H6, blind calls: what is shown is the same with and without a card to call."""
    rules = ruleset("rummy-500", ("H6",), variations=("blind-calls",))
    shown = []
    for card in ("7S", "2C"):
        state = table(
            rules,
            ["KD 8S 9S", "2D 3D QH", "AC 5D 7S 2C"],
            pile="QC",
            melds=["4S 5S 6S"],
            turn=2,
            stock="JD 2D",
        )
        state.apply(Draw())
        state.apply(Discard(cards_from_text(card)[0]))
        _, screen = at_table(state, "hint", "c 1")
        assert "g lets it go; it stays hidden whether a card can be called" in notes(screen, 0)
        assert "No hint: in this game it stays hidden" in notes(screen, 1)
        shown.append(notes(screen, 0).replace("7♠", "2♣"))
        assert ("called “Rummy!” and took" in notes(screen, 2)) == (card == "7S")
        assert ("(R-CLAIM-1)" in notes(screen, 2)) == (card == "2C")
    assert shown[0] == shown[1]


def test_the_word_hand_says_where_it_lies() -> None:
    """It must not be read as a slip for something else, `end` least of all."""
    _, screen = at_table(persian(), "hand")
    assert "Your hand is above: x 3 discards its third card, s sorts it." in notes(screen)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("discard", "Which card? For example discard QD."),
        ("m", "Which cards? For example meld 6S 7S 8S."),
        ("lay off", "Which card? For example lay 9S on 2."),
        ("x foo", "'foo' is not a card: write rank and suit, such as QD or 10S."),
        ("m 6S QD=", "A card is missing: write rank and suit, such as QD or 10S."),
        ("take", "Which cards? For example take 8C, which takes it and all after it, or take 3."),
        ("call", "Which cards? For example call 8C, which takes it and all after it, or call 3."),
    ],
)
def test_a_play_without_its_cards_is_asked_for_them(typed: str, shown: str) -> None:
    _, screen = at_table(table("500-rum", ["4H KD", "2D 3D"], pile="9S"), typed)
    assert shown in notes(screen)


def test_a_joker_is_spoken_of_where_there_are_jokers() -> None:
    _, screen = at_table(persian(), "x foo")
    assert "'foo' is not a card: write rank and suit, such as QD or 10S, or JK." in notes(screen)


@pytest.mark.parametrize(
    ("typed", "shown"), [("?", "How to play"), ("help", "How to play"), ("rules", "500 Rum (500-rum)")]
)
def test_help_and_rules_are_shown_before_the_deal_too(typed: str, shown: str) -> None:
    lines = iter([typed])
    screen = Paper(lambda prompt: next(lines, "q"))
    game = TerminalGame(seated(short("500-rum"), 2, seed=1), screen, Style(colour=False), Forgetful())
    assert not game.run()
    assert [shown] in [frame[:1] for frame in screen.frames]
    assert not game.notes
