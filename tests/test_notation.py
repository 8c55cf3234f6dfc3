"""Plays as text: one canonical form, many accepted variants, and errors that show the place."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500 import Laid, LayOff, Meld, State, deal, decode, ruleset
from rum500.cli.terminal.narration import action_words
from rum500.cli.terminal.style import Style
from rum500.rules.notation import NotationError, parse_play, play_text, split_plays
from tests.support.depth import depth
from tests.support.games import random_players, random_rules
from tests.support.table import table

H3 = ruleset("rummy-500", ("H3",))
TABLE = table(
    "rummy-500",
    ["", ""],
    pile="8C 9C JK 8C 5H 9C",
    melds=["6S 7S 8S", "9S 9H 9D", "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH", "QD KD AD", "7D 8D 9D"],
)
PERSIAN = table("persian-rummy", ["", "", "", ""], pile="JK", melds=["JK JK JK", "6S 7S 8S"])


def read(text: str, at: State | SimpleNamespace = TABLE) -> str:
    """The canonical form of a play."""
    return play_text(parse_play(text, at), at)


@settings(max_examples=depth(15, 60), deadline=None)
@given(st.integers(0, 2**32))
def test_every_play_has_one_text_and_reads_back(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = deal(rules, random_players(rules, chance), seed)
    while not state.is_over and chance.random() < 0.985:
        legal = state.legal_ints()
        texts = {play_text(code, state): code for code in legal}
        assert len(texts) == len(legal)
        for text in chance.sample(sorted(texts), min(len(texts), 20)):
            assert parse_play(text, state) == decode(texts[text]), text
            view = state.view(state.actor)
            assert parse_play(text.lower(), view) == decode(texts[text]), text
            shown = action_words(Style(), decode(texts[text]), view, "ABCDEFGH").plain
            assert parse_play(shown.partition(" (")[0], view) == decode(texts[text]), shown
        laying = [code for code in legal if code & 15 >= 7]
        state.apply_int(chance.choice(laying if laying and chance.random() < 0.6 else legal))


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("d", "draw"),
        ("Stock", "draw"),
        ("p", "pass"),
        ("end the deal", "end"),
        ("let go", "let go"),
        ("let it go", "let go"),
        ("g", "let go"),
        ("draw from the stock", "draw"),
        ("take from the pile 5H", "take 5H"),
        ("x q♦", "discard QD"),
        ("throw td", "discard 10D"),
        ("discard 10♦", "discard 10D"),
        ("X ★", "discard JK"),
        ("take top", "take 9C"),
        ("take up the top card", "take 9C"),
        ("t 5h", "take 5H"),
        ("take 1 card", "take 9C"),
        ("take 9c:5", "take 9C:5"),
        ("take 8C", "take 8C"),
        ("take 6 cards", "take 8C:6"),
        ("take all", "take 8C:6"),
        ("t jk", "take JK"),
        ("rummy! 5H", "call 5H"),
        ("rummy 8c : 6", "call 8C:6"),
        ("m 8s, 6♠ 7s", "meld 6S 7S 8S"),
        ("meld 6s-9s", "meld 6S 7S 8S 9S"),
        ("meld 9s–6s", "meld 6S 7S 8S 9S"),
        ("meld 6-9s", "meld 6S 7S 8S 9S"),
        ("meld A-3S", "meld AS 2S 3S"),
        ("meld QS-AS", "meld QS KS AS"),
        ("meld AS KS QS", "meld QS KS AS"),
        ("meld 6C 6H 6S", "meld 6S 6H 6C"),
        ("meld 6c and 6h + 6s", "meld 6S 6H 6C"),
        ("meld 5s JK 7s", "meld 5S JK=6S 7S"),
        ("meld 5s jk = 6s 7s", "meld 5S JK=6S 7S"),
        ("meld JK QS AS", "meld QS JK=KS AS"),
        ("meld 6S 6H JK JK", "meld 6S 6H JK=6D JK=6C"),
        ("meld 2S JK=1S 3S", "meld JK=1S 2S 3S"),
        ("meld JK=AS 2S 3S", "meld JK=1S 2S 3S"),
        ("meld QS KS JK=AS", "meld QS KS JK=AS"),
        ("meld AS AH JK=AD", "meld AS AH JK=AD"),
        ("l 10s 9s on 1", "lay 9S 10S on 1"),
        ("lay off 5s on meld 1", "lay 5S on 1"),
        ("add 9s to #1", "lay 9S on 1"),
        ("lay 10S 9S", "lay 9S 10S on 1"),
        ("lay KH", "lay KH on 3"),
        ("lay JK on 2", "lay JK=9C on 2"),
        ("lay JK=KH", "lay JK=KH on 3"),
        ("lay 4S JK 9S on 1", "lay 4S JK=5S 9S on 1"),
    ],
)
def test_forgiving_reading(typed: str, canonical: str) -> None:
    assert read(typed) == canonical
    assert read(canonical) == canonical


def test_d4_an_ace_that_fits_both_ends_is_high_unless_it_says() -> None:
    rest = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    assert read(f"meld {rest} AS") == f"meld {rest} AS"
    assert read(f"meld {rest} AS=1S") == f"meld AS=1S {rest}"
    assert read(f"meld 1S {rest}") == f"meld AS=1S {rest}"
    assert read("meld AS-KS") == f"meld AS=1S {rest}"
    assert read("meld 2S-AS") == f"meld {rest} AS"
    assert read(f"meld {rest} JK") == f"meld {rest} JK=AS"
    assert read(f"meld {rest} JK=1S") == f"meld JK=1S {rest}"


def test_d4_an_ace_laid_on_a_run_from_two_to_king() -> None:
    at = table("rummy-500", ["", ""], melds=["2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", "2H 3H 4H", "QD KD AD"])
    high, low = (LayOff(0, (Laid(0, place),), run=True) for place in (13, 0))
    assert parse_play("lay AS on 1", at) == parse_play("lay AS", at) == high
    assert parse_play("lay AS=1S on 1", at) == low
    assert [play_text(high, at), play_text(low, at)] == ["lay AS on 1", "lay AS=1S on 1"]
    assert read("lay ah", at) == "lay AH on 2"
    assert read("lay JK=AH", at) == "lay JK=1H on 2"
    run = table("rummy-500", ["", ""], melds=["2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS"])
    assert read("lay KS AS on 1", run) == "lay KS AS on 1"
    assert read("lay KS AS=1S on 1", run) == "lay AS=1S KS on 1"


def test_h3_two_jokers_beside_one_card_are_not_named() -> None:
    at = SimpleNamespace(pile=(), melds=(), rules=H3, players=2)
    assert read("meld 6S JK JK", at) == "meld 6S JK JK"
    assert parse_play("meld jk 6s jk", at) == Meld((Laid(5, 5), Laid(62, None), Laid(62, None)))
    with pytest.raises(NotationError, match="say what the joker stands for: meld 6S JK=6H JK=6D"):
        read("meld 6S JK=6H JK", SimpleNamespace(pile=(), melds=(), rules=ruleset("rummy-500"), players=2))


def test_r_meld_4_jokers_of_their_own_rank_name_nothing() -> None:
    assert read("meld jk jk jk", PERSIAN) == "meld JK JK JK"
    assert read("lay jk", PERSIAN) == "lay JK on 1"


def test_d20_a_joker_for_a_suit_that_a_set_may_hold_twice() -> None:
    rules = ruleset("500-rummy", jokers=1, joker_kind="wild", joker_points=15)
    at = SimpleNamespace(pile=(), melds=(), rules=rules, players=5)
    with pytest.raises(NotationError) as caught:
        read("meld 6S 6H JK", at)
    assert caught.value.message == (
        "say what the joker stands for: meld 6S 6H JK=6S, meld 6S 6H JK=6H, meld 6S 6H JK=6D or "
        "meld 6S 6H JK=6C"
    )


@pytest.mark.parametrize(
    ("typed", "code", "column", "message"),
    [
        ("", "notation.expected", 1, "found the end, expected a play: draw, take, meld, lay"),
        ("fold", "notation.expected", 1, "found 'fold', expected a play"),
        ("draw 3", "notation.rest", 6, "found '3', expected nothing after 'draw'"),
        ("discard", "notation.expected", 8, "found the end, expected a card such as QD"),
        ("discard 1D", "notation.expected", 9, "found '1D', expected a card"),
        ("discard KD QD", "notation.rest", 12, "found 'QD', expected nothing"),
        (
            "take",
            "notation.expected",
            5,
            "found the end, expected the lowest card to take, such as 8C, or a number",
        ),
        ("take 0 cards", "notation.expected", 6, "found '0', expected a number of cards"),
        ("take KD", "notation.not_in_pile", 6, "K♦ is not in the pile, which holds 8♣ 9♣ ★ 8♣ 5♥ 9♣"),
        ("take 9C:2", "notation.not_there", 9, "the top 2 cards of the pile do not begin with 9♣"),
        ("meld", "notation.expected", 5, "found the end, expected a card"),
        ("meld 6S XX 8S", "notation.expected", 9, "found 'XX', expected a card"),
        ("meld 6S=7S 8S 9S", "notation.expected", 9, "found '7S', expected a card after 'JK='"),
        ("meld 6S-9H", "notation.expected", 6, "found '6S-9H', expected a run of one suit"),
        ("meld 6S 7S JK", "notation.ambiguous", 6, "meld JK=5S 6S 7S or meld 6S 7S JK=8S"),
        (
            "meld 6S 9H JK",
            "notation.no_reading",
            6,
            "no card that the joker could stand for makes a meld of 6♠ 9♥ ★",
        ),
        ("lay JK on 1", "notation.ambiguous", 5, "lay JK=5S on 1 or lay JK=9S on 1"),
        (
            "lay JK JK on 2",
            "notation.no_place",
            5,
            "no card that the joker could stand for goes with ★ ★ on meld 2",
        ),
        ("lay 4C", "notation.no_target", 5, "no meld on the table takes 4♣"),
        ("lay 4C on", "notation.meld", 10, "found the end, expected a meld's number, 1 to 5"),
        ("lay 4C on 9", "lay.no_meld", 11, "there is no meld 9: the table has 5 melds, numbered from 1"),
        ("let be", "notation.expected", 5, "found 'be', expected 'go'"),
    ],
)
def test_errors_show_place_and_expectation(typed: str, code: str, column: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_play(typed, TABLE, line=7, column=1)
    error = caught.value
    assert (error.code, error.line, error.column) == (code, 7, column)
    assert message in error.message
    assert str(error) == f"line 7, column {column}: {error.message}"
    assert "\n" not in str(error)


def test_a_card_that_fits_several_melds_needs_a_target() -> None:
    at = table("500-rum", ["", ""], melds=["6S 7S 8S", "9H 9D 9C"])
    with pytest.raises(NotationError) as caught:
        parse_play("lay 9S", at)
    assert caught.value.code == "notation.target"
    assert caught.value.message == "this fits several melds, say which: lay 9S on 1 or lay 9S on 2"


def test_wrong_plays_are_read_and_left_to_the_rules() -> None:
    at = table("500-rum", ["KS AS 2S 6S 9H", "3C"], melds=["6H 7H 8H"], phase="play")
    for text in ("meld KS AS 2S", "meld 6S 9H 2S", "meld 6S 2S", "lay KS on 1", "discard 4D"):
        refusal = at.why_not(parse_play(text, at))
        assert refusal is not None and refusal.rule, text


def test_plays_of_a_turn_are_separated_by_semicolons() -> None:
    assert list(split_plays(" take 8C;; meld 8C 9C 10C ;discard KD", 4)) == [
        ("take 8C", 5),
        ("meld 8C 9C 10C", 15),
        ("discard KD", 31),
    ]
