"""The worked examples of the source documents, each under its source's letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rum500 import Laid, Meld, Phase, Ruleset
from rum500.cards import card_from_text, cards_text
from rum500.rules.profiles import profiles, ruleset
from rum500.rules.sentences import describe
from tests.support.table import can, owners, pile, play, refusal, table, texts

OTHERS = ("4H", "5H", "6H")
PERSIAN = ("persian-rummy", "persian-rummy-fosdick", "persian-rummy-gamerules")


def naturals(cards: str) -> Meld:
    return Meld(tuple(Laid(card_from_text(card), card_from_text(card)) for card in cards.split()))


def at_play(name: str, cards: str, **more):
    players = ruleset(name).players[0]
    return table(name, [cards, *OTHERS[: players - 1]], phase="play", **more)


# --- H ---------------------------------------------------------------------------------------------


def test_h_eighty_seven_shown_and_ninety_held_is_three_off():
    """Source H, R-SCORE-1."""
    shown = [(1, "KS KH KD"), (1, "8C 9C 10C JC QC KC")]
    held = "AS AH AD AC 10S 10H 10D"
    state = table("500-rum", ["6S 7S", held], stock="8S", melds=shown)
    play(state, "draw", "meld 6S 7S 8S")
    assert (state.result.melded[1], state.result.held[1], state.result.points[1]) == (87, 90, -3)


def test_h_a_queen_that_fits_a_run_and_a_set():
    """Source H, R-LAY-2: in the run anyone may add the king, on the set not."""
    table_melds = [(1, "9D 10D JD"), (1, "QS QH QC")]
    state = table("500-rum", ["QD 2C 3C", "KD 4H 5H"], melds=table_melds, stock="7C 8C", phase="play")
    on_set = state.copy()
    play(state, "lay QD on 1", "discard 2C", "draw")
    assert can(state, "lay KD on 1")
    play(on_set, "lay QD on 2", "discard 2C", "draw")
    assert texts(on_set, "lay") == set()


def test_h_the_ace_ends_runs_at_either_side_and_never_joins_them():
    """Source H, R-MELD-2: A-K-Q and A-2-3 are runs, K-A-2 is none."""
    assert texts(at_play("500-rum", "AS KS QS 9C"), "meld") == {"meld QS KS AS"}
    assert texts(at_play("500-rum", "AS 2S 3S 9C"), "meld") == {"meld AS 2S 3S"}
    state = at_play("500-rum", "KS AS 2S 9C")
    assert texts(state, "meld") == set() and refusal(state, naturals("KS AS 2S")).code == "run.corner"


@pytest.mark.parametrize("name", PERSIAN)
def test_h_four_jokers_and_four_sixes_at_once_and_in_two_plays(name):
    """Source H, R-SCORE-3: jokers 160 against 60 and 20; sixes 48 against 18 and 6 (F counts five each)."""
    six = 5 if name == "persian-rummy-fosdick" else 6
    for cards, value in (("JK JK JK JK", 20), ("6S 6H 6D 6C", six)):
        state = at_play(name, cards + " KC")
        play(state, f"meld {cards}")
        assert state.laid[0] == 8 * value
        state = at_play(name, cards + " KC")
        play(state, f"meld {cards[:8]}")
        assert state.laid[0] == 3 * value
        play(state, f"lay {cards.split()[3]} on 1")
        assert state.laid[0] == 4 * value


# --- G ---------------------------------------------------------------------------------------------


def test_g_a_set_of_fours_and_a_run_up_to_the_ace():
    """Source G, R-MELD-1, R-MELD-2."""
    state = at_play("persian-rummy-gamerules", "4S 4D 4H 9C")
    assert texts(state, "meld") == {"meld 4S 4H 4D"}
    state = at_play("persian-rummy-gamerules", "JS QS KS AS 9C")
    assert "meld JS QS KS AS" in texts(state)


def test_g_jacks_four_at_once_are_eighty_and_in_two_plays_forty():
    """Source G, R-SCORE-3."""
    state = at_play("persian-rummy-gamerules", "JS JH JD JC 9C")
    play(state, "meld JS JH JD JC")
    assert state.laid[0] == 80
    state = at_play("persian-rummy-gamerules", "JS JH JD JC 9C")
    play(state, "meld JS JH JD", "lay JC on 1")
    assert state.laid[0] == 40


def test_g_discarding_the_last_card_does_not_end_the_deal():
    """Source G, R-END-1."""
    state = at_play("persian-rummy-gamerules", "9C")
    play(state, "discard 9C")
    assert not state.is_over and state.actor == 1


# --- F ---------------------------------------------------------------------------------------------


def test_f_a_set_of_kings_and_a_run_of_five():
    """Source F, R-MELD-1, R-MELD-2."""
    assert "meld KS KH KD" in texts(at_play("500-rummy", "KS KH KD 9C"))
    assert "meld 3S 4S 5S 6S 7S" in texts(at_play("500-rummy", "3S 4S 5S 6S 7S 9C"))


def test_f_what_the_pack_holds_with_all_aces_high():
    """Source F, R-SCORE-2: 380 points, 396 by pips, 460 in Persian by F."""
    games = {"500-rummy": 380, "500-rum": 396, "persian-rummy-fosdick": 460}
    for name, points in games.items():
        rules = ruleset(name)
        deck = cards_text(rules.deck(rules.players[0]))
        state = table(rules, [deck, *OTHERS[: rules.players[0] - 1]])
        assert state.core.held(0) == points
    pips = ruleset("500-rummy", variations=("pips",))
    assert table(pips, [cards_text(pips.deck(2)), "4H"]).core.held(0) == 396


def test_f_twos_at_once_are_forty_and_three_of_them_fifteen():
    """Source F, R-SCORE-3."""
    state = at_play("persian-rummy-fosdick", "2S 2H 2D 2C 9C")
    three = state.copy()
    play(state, "meld 2S 2H 2D 2C")
    assert state.laid[0] == 40
    play(three, "meld 2S 2H 2D")
    assert three.laid[0] == 15


def test_f_jokers_built_three_and_one_are_eighty():
    """Source F, R-SCORE-3, R-MELD-4."""
    state = at_play("persian-rummy-fosdick", "JK JK JK JK 9C")
    play(state, "meld JK JK JK", "lay JK on 1")
    assert state.laid[0] == 80


# --- R ---------------------------------------------------------------------------------------------


def test_r_taking_the_six_from_the_middle_of_the_pile():
    """Source R, R-DRAW-2, R-DRAW-3: 6 9 4 are taken, the 6 melded, the 9 discarded."""
    state = table("rummy-500", ["6S 6H 2C", "5H"], pile="KD 4S 8H 6D 9C 4C")
    play(state, "take 6D")
    assert cards_text(sorted(state.known(0))) == cards_text(sorted(map(card_from_text, ("6D", "9C", "4C"))))
    play(state, "meld 6S 6H 6D", "discard 9C")
    assert pile(state) == "KD 4S 8H 9C"


def test_r_what_goes_on_four_five_six():
    """Source R, R-LAY-1, D3b: a 3, or 2 and 3, or 2, 3 and 7; on three sixes only a six."""
    state = at_play("rummy-500", "2S 3S 7S 6C KD", melds=["4S 5S 6S", "6S 6H 6D"])
    on_run = {"lay 3S on 1", "lay 2S 3S on 1", "lay 7S on 1", "lay 3S 7S on 1", "lay 2S 3S 7S on 1"}
    assert texts(state, "lay") == {*on_run, "lay 6C on 2"}
    assert refusal(state, "lay 7S on 2").message == "meld 2 does not take 7♠: it takes 6♣"


def test_r_a_seven_goes_to_the_run_or_to_the_set_and_stays():
    """Source R, R-LAY-2, R-MELD-3."""
    state = at_play("rummy-500", "7S KD 9C", melds=["4S 5S 6S", "7H 7D 7C"])
    assert texts(state, "lay") == {"lay 7S on 1", "lay 7S on 2"}
    play(state, "lay 7S on 2")
    assert refusal(state, "lay 7S on 1").rule == "R-MELD-3"


def test_r_what_is_a_set_and_what_is_a_run():
    """Source R, R-MELD-1, R-MELD-2."""
    state = at_play("rummy-500", "AS AH AD 2C 10S JS QS KS JH 10H")
    found = texts(state, "meld")
    assert {"meld AS AH AD", "meld 10S JS QS KS"} <= found
    assert refusal(state, naturals("AS AH 2C")).message == "2♣ is no ace: a set's cards are all of one rank"
    mixed = refusal(state, naturals("10H JS QS KS"))
    assert (mixed.code, mixed.rule, mixed.card) == ("run.suit", "R-MELD-2", card_from_text("10H"))


@pytest.mark.parametrize("thrown", ["2S", "6S"])
def test_r_example_a_of_rummy_in_the_pile(thrown):
    """Source R, H6: with 3-4-5 on the table somebody discards a 2 or a 6."""
    rules = ruleset("rummy-500", house_rules=("H6",))
    state = table(rules, [f"{thrown} KD", "9C 9H", "JC JH"], pile="QD", melds=["3S 4S 5S"], phase="play")
    play(state, f"discard {thrown}")
    assert state.phase is Phase.CLAIM
    play(state, "let go", f"call {thrown}", f"lay {thrown} on 1")
    assert owners(state, 1)[thrown] == 2


def test_r_example_b_of_rummy_in_the_pile():
    """Source R, H6, R-CLAIM-3: a 5 lies in the pile and a player melds 6-7-8: all others may call."""
    rules = ruleset("rummy-500", house_rules=("H6",))
    state = table(rules, ["7S 8S KD 2C", "9C 9H", "JC JH"], pile="5S QD", stock="6S 3D")
    play(state, "draw", "meld 6S 7S 8S", "discard KD")
    callers = set()
    while state.phase is Phase.CLAIM:
        assert can(state, "call 5S")
        callers.add(state.actor)
        play(state, "let go")
    assert callers == {1, 2}


# --- the rules page --------------------------------------------------------------------------------

EXAMPLES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "web" / "src" / "lib" / "rules" / "examples.json").read_text()
)


def told(rules: Ruleset) -> set[str]:
    """The ids of the sentences of these rules that have examples."""
    return {sentence.id for sentence in describe(rules)} & EXAMPLES.keys()


def shown_games() -> list[tuple[Ruleset, str]]:
    """Rule sets with each sentence that has examples: all profiles, some with a house rule or an option."""
    games = [ruleset(name) for name in profiles()]
    games += [ruleset("rummy-500", ("H3", "H6")), ruleset("persian-rummy", doubles="melds")]
    games.append(ruleset("persian-rummy", jokers=3))
    return [(rules, id_) for rules in games for id_ in sorted(told(rules))]


def allowed(rules: Ruleset, example: dict[str, Any]) -> bool:
    """Whether the cards of an example can be laid, or taken, with as many packs as there can be."""
    on, cards = example.get("on"), example["cards"]
    if "pile" in example:
        return taken_and_played(rules, example)
    if "laid" in example:
        return counted(rules, example) == example["points"]
    hand = " ".join(word.partition("=")[0] for word in cards.split())
    others = ["4H 9C"] * (rules.players[-1] - 1)
    state = table(rules, [f"{hand} 2C 3D", *others], melds=[(1, on)] if on else (), phase="play")
    text = f"lay {cards} on 1" if on else f"meld {cards}"
    if not can(state, text):
        return False
    before = state.laid[0]
    play(state, text)
    if on and example.get("reveals"):  # the next card of the same meld
        following = example["reveals"][0].split()[-1]
        after = table(rules, [f"{following} 2C 3D", *others], melds=[f"{on} {cards}"], phase="play")
        return can(after, f"lay {following} on 1")
    return state.laid[0] - before == example.get("points", state.laid[0] - before)


def taken_and_played(rules: Ruleset, example: dict[str, Any]) -> bool:
    """Whether the cards can be taken, the lowest melded, and the next one discarded."""
    lowest, thrown, *_ = example["cards"].split()
    meld, left = example["reveals"]
    hand = " ".join(card for card in meld.split() if card != lowest)
    others = ["4H 9C"] * (rules.players[0] - 1)
    state = table(rules, [f"{hand} 2C", *others], pile=f"{example['pile']} {example['cards']}")
    play(state, f"take {lowest}", f"meld {meld}", f"discard {thrown}")
    return pile(state) == left


def counted(rules: Ruleset, example: dict[str, Any]) -> int:
    """Return the points of a player with these melds who holds the cards when another goes out."""
    others = ["2C 3D"] * (rules.players[0] - 2)
    melds = [(1, meld) for meld in example["laid"]]
    state = table(rules, ["6S 7S", example["cards"], *others], stock="8S", melds=melds)
    play(state, "draw", "meld 6S 7S 8S")
    assert state.result is not None
    return state.result.points[1]


@pytest.mark.parametrize(
    ("rules", "id_"), shown_games(), ids=lambda it: it.name if isinstance(it, Ruleset) else str(it)
)
def test_the_rules_page_shows_examples_that_the_engine_confirms(rules: Ruleset, id_: str):
    listed = {sentence.id for sentence in describe(rules)}
    for example in EXAMPLES[id_]:
        if example.get("where", id_) not in listed:
            continue
        assert allowed(rules, example) is not example.get("wrong", False), example


def test_every_example_of_the_rules_page_belongs_to_a_sentence():
    assert {id_ for _, id_ in shown_games()} == EXAMPLES.keys()
