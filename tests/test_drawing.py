"""Pictures for notebooks: complete documents that show what their object knows, and no more."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

import rum500
import rum500.drawing.hand
from rum500.cards import CardError, pack
from rum500.drawing import BACK, HEIGHT, WIDTH, Picture, cards_svg
from rum500.record import DealRecorder

SVG = "{http://www.w3.org/2000/svg}"
RULES = rum500.ruleset("rummy-500", house_rules=("H5",))


def played(actions: int, seed: int = 3) -> rum500.State:
    """A deal of four, played by `club` for some actions or to its end."""
    state, club, rng = rum500.deal(RULES, 4, seed=seed), rum500.bots.get("club"), rum500.Rng(1)
    while actions and not state.is_over:
        state.apply(club.choose(state.view(state.actor), rng))
        actions -= 1
    return state


def record() -> rum500.Record:
    made = rum500.Record(RULES, 2, ("Ann", "Bob & <Co>, of a long name"))
    club, rng = rum500.bots.get("club"), rum500.Rng(1)
    for seed in (1, 2):
        deck = RULES.deck(2)
        rum500.Rng(seed).shuffle(deck)
        totals = made.deals[-1].outcome.points if made.deals and made.deals[-1].outcome else ()
        recorder = DealRecorder(made, deck, totals=totals)
        while not recorder.state.is_over and len(recorder.deal.plays) < (5 if seed == 2 else 1000):
            recorder.apply(club.choose(recorder.state.view(recorder.state.actor), rng))
    return made


def drawn(svg: str) -> tuple[ET.Element, list[ET.Element]]:
    """The document, and the cards in it."""
    root = ET.fromstring(svg)
    return root, [group for group in root.iter(f"{SVG}g") if "scale" in group.get("transform", "")]


def words(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


# --- cards ------------------------------------------------------------------------------------------


def test_cards_are_a_tuple_with_a_text() -> None:
    hand = rum500.Cards("QD, 10d JK")
    assert hand == (43, 41, 62)
    assert (str(hand), repr(hand), rum500.Cards(str(hand))) == ("QD 10D JK", "Cards('QD 10D JK')", hand)
    assert repr(pickle.loads(pickle.dumps(hand))) == repr(hand)
    with pytest.raises(CardError):
        rum500.Cards("QD XX")
    with pytest.raises(ValueError, match="13 is not a card"):
        rum500.Cards([13])
    with pytest.raises(TypeError):
        rum500.Cards(["QD"])  # type: ignore[list-item]


def test_every_card_has_a_face_of_its_own() -> None:
    alone = {card: drawn(cards_svg([card]))[1] for card in {*pack(1)}}
    faces = {ET.tostring(cards[0]) for cards in alone.values()}
    named = {cards_svg([62], [place]) for place in {*pack()}}
    assert (len(faces), len(named)) == (53, 52)


def test_a_picture_is_as_large_as_what_is_in_it() -> None:
    root, cards = drawn(rum500.Cards("QD KD AD").to_svg())
    assert len(cards) == 3
    assert root.get("viewBox") == f"0 0 {2 * 26 + WIDTH + 2} {HEIGHT + 2}"
    assert root.get("aria-label") == "QD KD AD"
    assert drawn(rum500.Cards().to_svg())[1] == []


def test_a_card_under_another_shows_its_index_alone() -> None:
    covered, whole = drawn(cards_svg([43, 43]))[1]
    assert len(whole) == len(covered) + 1


# --- values with pictures ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        lambda: rum500.Cards("QD"),
        lambda: rum500.best_melds("2S 3S 4S JK 9H 9D 9C KD", RULES),
        lambda: rum500.best_melds("2S", RULES),
        lambda: rum500.best_melds("2S 3S 4S", RULES).melds[0],
        lambda: played(1000).melds[0],
        lambda: rum500.deal(RULES, 4, seed=1),
        lambda: played(12),
        lambda: played(1000),
        lambda: played(12).view(2),
        lambda: played(12).view(None),
        lambda: rum500.Record(RULES, 8),
        record,
    ],
)
def test_a_notebook_shows_a_document_with_colours_of_its_own(made: Callable[[], object]) -> None:
    """No colour and no name of a part is left to the page, nor to other pictures in it."""
    svg = made()._repr_html_()  # type: ignore[attr-defined]
    root, _ = drawn(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title")
    assert not re.search(r"currentColor|url\(|<style|\bid=|\bclass=", svg)
    for part in root.iter():
        if part.tag in (f"{SVG}text", f"{SVG}rect"):
            assert re.fullmatch("#[0-9a-f]{6}", part.get("fill", "")), ET.tostring(part)


def test_a_state_shows_all_cards_and_a_view_only_its_own() -> None:
    state = played(12)
    seat = state.actor
    view = state.view(seat)
    cards = sum(map(len, state.hands)) + len(state.pile) + sum(len(meld.cards) for meld in state.melds) + 1
    backs = [drawn(cards_svg([BACK]))[1][0][1].get("d")]

    def hidden(svg: str) -> int:
        return sum(card[1].get("d") in backs for card in drawn(svg)[1])

    unknown = sum(size - len(known) for size, known in zip(view.hand_sizes, view.known, strict=True))
    unknown -= view.hand_sizes[seat] - len(view.known[seat])
    assert len(drawn(state.to_svg())[1]) == len(drawn(view.to_svg())[1]) == cards
    assert hidden(state.to_svg()) == 1
    assert hidden(view.to_svg()) == 1 + unknown > 10


def test_a_view_of_another_deal_that_looks_the_same_has_the_same_picture() -> None:
    state = played(12)
    twin = state.resample(2, rum500.Rng(5))
    assert twin.hands != state.hands
    assert twin.view(2).to_svg() == state.view(2).to_svg()


def test_words_tell_whose_turn_it_is_and_how_a_deal_ended() -> None:
    state = rum500.deal(RULES, 4, seed=1)
    assert words(state.to_svg())[:4] == [
        "Rummy 500, deal 1",
        "seat 1 to decide: draw",
        "Stock 25",
        "Discard pile 1",
    ]
    over = played(1000)
    assert over.result is not None
    assert words(over.to_svg())[1] == f"over: out by seat {over.result.out}"


def test_a_record_shows_points_and_totals() -> None:
    made = record()
    points = made.deals[0].outcome.points  # type: ignore[union-attr]
    told = words(made.to_svg())
    assert told[:4] == ["Rummy 500", "Ann", "Bob & <Co>, o…", "Deal 1: out by Ann"]
    assert told[4:6] == [f"{one:+d}" for one in points]
    assert told[6:] == ["Deal 2: not finished", "Total", *map(str, points)]


def test_words_are_escaped() -> None:
    picture = Picture()
    picture.words(0, 0, "<b> & co")
    assert words(picture.to_svg('a "label" <x>')) == ["<b> & co"]
