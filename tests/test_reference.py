"""The reference enumerator against the rulebook: its worked examples, its decisions, whole deals."""

from __future__ import annotations

import random
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import pytest

from tests.reference import (
    HOUSE_RULES,
    PROFILES,
    IllegalPlayError,
    Reference,
    full_deck,
    is_run,
    is_set,
    perft,
    permitted,
    position,
    read_rules,
    with_house_rules,
)
from tests.reference.scoring import account
from tests.support.depth import depth

if TYPE_CHECKING:
    pass


def profile(name: str, *house_rules: str, **changes: Any) -> dict[str, Any]:
    return {**with_house_rules(PROFILES[name], house_rules), **changes}


def drawn(deal: Reference) -> Reference:
    deal.play("draw")
    return deal


def card_plays(deal: Reference) -> set[str]:
    return {text for text in deal.plays() if not text.startswith("discard")}


def run_of(deal: Reference, *texts: str) -> Reference:
    for text in texts:
        deal.play(text)
    return deal


# ---- RULEBOOK §3: worked examples -----------------------------------------------------------------------


def test_h_87_shown_90_held() -> None:
    """H: 87 points shown and 90 held make −3 (R-SCORE-1, D24)."""
    deal = position(
        PROFILES["500-rum"],
        ["AS AH AD AC JS QH KC", "2C"],
        melds=[(0, "KS KH KD"), (0, "10D JD QD"), (0, "9S 9H 9D")],
    )
    result = account("stock", None, deal.melds, deal.hands, deal.rules)
    assert (result.melded[0], result.held[0], result.points[0]) == (87, 90, -3)


def test_h_queen_on_run_or_set() -> None:
    """H: once the QD lies in the run anyone may add the KD, not so on the set (R-LAY-1, R-LAY-2)."""
    melds = [(1, "9D 10D JD"), (1, "QS QH QC")]
    for text, king_fits in (("lay QD on 1", True), ("lay QD on 2", False)):
        deal = drawn(position(PROFILES["500-rum"], ["QD 2S", "KD 3C"], "4H", "5C 6C", melds))
        assert card_plays(deal) == {"lay QD on 1", "lay QD on 2"}
        run_of(deal, text, "discard 2S", "draw")
        assert ("lay KD on 1" in deal.plays()) is king_fits
        assert deal.points_laid == [10, 29 + 30]


def test_h_runs_with_aces() -> None:
    """H: A-K-Q and A-2-3 are runs, K-A-2 is none (R-MELD-2)."""
    deal = drawn(position(PROFILES["500-rum"], ["QS KS AS 2S 9D", "3C"], "4H", "3S 6C"))
    assert card_plays(deal) == {"meld QS KS AS", "meld AS 2S 3S"}


@pytest.mark.parametrize(
    ("name", "hand", "texts", "points"),
    [
        ("persian-rummy", "JK JK JK JK", ["meld JK JK JK JK"], [160]),
        ("persian-rummy", "JK JK JK JK", ["meld JK JK JK", "lay JK on 1"], [60, 80]),
        ("persian-rummy", "6S 6H 6D 6C", ["meld 6S 6H 6D 6C"], [48]),
        ("persian-rummy", "6S 6H 6D 6C", ["meld 6S 6H 6C", "lay 6D on 1"], [18, 24]),
        ("persian-rummy-gamerules", "JS JH JD JC", ["meld JS JH JD", "lay JC on 1"], [30, 40]),
        ("persian-rummy-gamerules", "JS JH JD JC", ["meld JS JH JD JC"], [80]),
        ("persian-rummy-fosdick", "2S 2H 2D 2C", ["meld 2S 2H 2D 2C"], [40]),
        ("persian-rummy-fosdick", "2S 2H 2D 2C", ["meld 2S 2H 2D", "lay 2C on 1"], [15, 20]),
        ("persian-rummy-fosdick", "JK JK JK JK", ["meld JK JK JK", "lay JK on 1"], [60, 80]),
        ("500-rum", "6S 6H 6D 6C", ["meld 6S 6H 6D 6C"], [24]),
    ],
)
def test_four_at_once(name: str, hand: str, texts: list[str], points: list[int]) -> None:
    """H, G and F: four laid at once count double where the profile says so (R-SCORE-3)."""
    deal = drawn(position(PROFILES[name], [hand + " 9C 3D", "5C", "5D", "5H"], "4H", "10S 10C"))
    seen = []
    for text in texts:
        deal.play(text)
        seen.append(deal.points_laid[0])
    assert seen == points


def test_doubles_of_melds() -> None:
    """D11: under "melds" a run of four doubles, a run of five does not, a card added later counts once."""
    rules = profile("persian-rummy", doubles="melds")
    hands = ["3S 4S 5S 6S 7S 9C", "5C", "5D", "5H"]
    four = drawn(position(rules, hands, "4H", "10S 10C"))
    assert run_of(four, "meld 4S 5S 6S 7S").points_laid[0] == 44
    assert run_of(four, "lay 3S on 1").points_laid[0] == 47
    five = drawn(position(rules, hands, "4H", "10S 10C"))
    assert run_of(five, "meld 3S 4S 5S 6S 7S").points_laid[0] == 25


def test_g_melds() -> None:
    """G: 4-4-4 is a set, J-Q-K-A of a suit a run; aces are high only."""
    hands = ["4S 4H 4D JS QS KS AS 2S 3S", "5C", "5D", "5H"]
    deal = drawn(position(PROFILES["persian-rummy-gamerules"], hands, "4C", "10H"))
    assert {"meld 4S 4H 4D", "meld JS QS KS AS"} <= card_plays(deal)
    assert "meld 2S 3S 4S" in card_plays(deal)
    assert not any("AS 2S" in text for text in card_plays(deal))


def test_g_goes_out_by_melding_only() -> None:
    """G, D16: discarding the last card ends nothing; one draws on, and melds to go out."""
    rules = PROFILES["persian-rummy-gamerules"]
    hands = ["2C", "5C 6C", "3D 3H", "4D 4H"]
    deal = position(rules, hands, "4C", "KD 9H 8C 7C JD", [(1, "10D JD QD")])
    run_of(deal, "draw", "discard KD")
    assert (deal.phase, deal.hands[0]) == ("draw", ["2C"])
    run_of(deal, "draw", "discard 9H", "draw", "discard 8C", "draw", "discard 7C")
    deal.stock = ["3C", "7H", "8H", "9S", "AC", "KD"]
    deal.hands[0] = []
    run_of(deal, "draw", "discard 3C")  # again without cards, and still in
    assert (deal.phase, deal.actor, deal.hands[0]) == ("draw", 1, [])
    run_of(deal, "draw", "discard 7H", "draw", "discard 8H", "draw", "discard 9S")
    deal.stock = ["KD"]
    result = run_of(deal, "draw", "lay KD on 1").result()
    assert result is not None
    assert (result.reason, result.out, result.points[0]) == ("out", 0, 10 + 25)


def test_r_pile_example() -> None:
    """R: pile K 4 8 6 9 4; the 6 with all above it, melded at once; the 9 discarded (R-DRAW-2, R-DRAW-3)."""
    deal = position(PROFILES["rummy-500"], ["6S 6H QD", "2C"], "KS 4H 8C 6D 9S 4C", "3C")
    assert deal.plays() == ["draw", "take 4C", "take 6D"]
    deal.play("take 6D")
    assert (deal.phase, deal.plays()) == ("use", ["meld 6S 6H 6D"])
    run_of(deal, "meld 6S 6H 6D")
    assert deal.known[0] == ["9S", "4C"]
    deal.play("discard 9S")
    assert (deal.pile, deal.known[0]) == (["KS", "4H", "8C", "9S"], ["4C"])


def test_r_lay_offs() -> None:
    """R: on 4-5-6 a 3, or 2 and 3, or 2, 3 and 7; a 7 on its run or its set; on 6-6-6 only a 6 (D3b)."""
    melds = [(1, "4S 5S 6S"), (1, "7H 7D 7C")]
    deal = drawn(position(PROFILES["500-rum"], ["2S 3S 7S", "2C"], "KD", "KH", melds))
    assert card_plays(deal) == {
        "lay 3S on 1", "lay 2S 3S on 1", "lay 3S 7S on 1", "lay 2S 3S 7S on 1", "lay 7S on 1", "lay 7S on 2",
    }  # fmt: skip
    deal = drawn(position(PROFILES["500-rum"], ["6C 5C 7C 6S", "2C"], "KD", "KH", [(1, "6S 6H 6D")]))
    assert card_plays(deal) == {"meld 5C 6C 7C", "lay 6C on 1"}


def test_r_melds() -> None:
    """R: A-A-A is a set and A-A-2 none, 10-J-Q-K of a suit a run and of mixed suits none."""
    assert is_set(["AS", "AH", "AD"], 1)
    assert not is_set(["AS", "AH", "2D"], 1)
    assert is_run(["10S", "JS", "QS", "KS"], "both")
    assert not is_run(["10S", "JH", "QS", "KS"], "both")
    assert is_run(["3S", "4S", "5S"], "both")


def test_r_claim_a() -> None:
    """R, H6 a: beside 3-4-5 a discarded 2 or 6 may be called by anyone else (R-CLAIM-1)."""
    for card in ("2S", "6S"):
        hands = [f"{card} 9D", "9C", "8C"]
        deal = position(profile("500-rum", "H6"), hands, "KD", "KH QC", [(0, "3S 4S 5S")])
        run_of(drawn(deal), f"discard {card}")
        assert (deal.phase, deal.actor, deal.plays()) == ("claim", 1, [f"call {card}", "let go"])
        run_of(deal, "let go")
        assert (deal.phase, deal.actor, deal.plays()) == ("claim", 2, [f"call {card}", "let go"])
        run_of(deal, f"call {card}")
        assert (deal.phase, deal.plays()) == ("use", [f"lay {card} on 1"])
        run_of(deal, f"lay {card} on 1")
        assert (deal.phase, deal.plays()) == ("play", ["discard 8C"])
        assert deal.points_laid[2] == int(card[0])


def test_r_claim_b() -> None:
    """R, H6 b: a 5 in the pile, 6-7-8 melded: the melder may not call, a turn later yes (R-CLAIM-3)."""
    deal = position(profile("500-rum", "H6"), ["7S 8S 9D QD", "9C 2D"], "5S KD", "6S KH 3H")
    run_of(drawn(deal), "meld 6S 7S 8S", "discard 9D")
    assert (deal.phase, deal.actor, deal.plays()) == ("claim", 1, ["call 5S", "let go"])
    run_of(deal, "let go", "draw", "discard 9C")
    assert (deal.phase, deal.actor, deal.plays()) == ("claim", 0, ["call 5S", "let go"])
    run_of(deal, "call 5S", "lay 5S on 1", "discard QD")
    assert (deal.phase, deal.actor) == ("draw", 1)  # play goes on to the caller's left


# ---- decisions ------------------------------------------------------------------------------------------


def test_taken_two_goes_under_with_the_three() -> None:
    """D3: a taken 2 is laid under 4-5-6 together with the 3 from hand; D27: or with the 3 just taken."""
    deal = position(PROFILES["500-rum"], ["3S 9C", "2C"], "2S", "KH", [(1, "4S 5S 6S")])
    assert run_of(deal, "take 2S").plays() == ["lay 2S 3S on 1"]
    deal = position(PROFILES["500-rum"], ["9C", "2C"], "2S 3S", "KH", [(1, "4S 5S 6S")])
    assert deal.plays() == ["draw", "take 3S", "take 2S"]
    assert run_of(deal, "take 2S").plays() == ["lay 2S 3S on 1"]


def test_ace_on_two_to_king() -> None:
    """D4: on a run from 2 to K the ace takes either end, never both; low it counts 1."""
    run = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    deal = drawn(position(PROFILES["500-rum"], ["AS 9C", "2C"], "KD", "KH", [(1, run)]))
    assert card_plays(deal) == {"lay AS on 1", "lay AS=1S on 1"}
    assert run_of(deal, "lay AS=1S on 1").points_laid[0] == 1
    whole = drawn(position(PROFILES["500-rum"], [run + " AS 9C", "2C"], "KD", "KH"))
    assert {f"meld {run} AS", f"meld AS=1S {run}"} <= card_plays(whole)
    hands = ["AS 9C", "2C", "3D", "3H", "4D"]
    two_packs = position(PROFILES["500-rum"], hands, "KD", "KH", [(1, run + " AS")])
    assert card_plays(drawn(two_packs)) == set()


def test_low_ace_with_jokers() -> None:
    """D4, D8, D9: a joker as the ace is high unless written low; the ace below a joker two is low."""
    deal = drawn(position(PROFILES["rummy-500"], ["AS 3S JK 9C", "2C"], "KD", "KH"))
    assert card_plays(deal) == {"meld AS JK=2S 3S"}
    assert run_of(deal, "meld AS JK=2S 3S").points_laid[0] == 1 + 15 + 3
    deal = drawn(position(PROFILES["rummy-500"], ["JK 2S 3S 9C", "2C"], "KD", "KH"))
    assert card_plays(deal) == {"meld JK=1S 2S 3S", "meld 2S 3S JK=4S"}


def test_stock_empty() -> None:
    """D5: with the stock empty the top card too is only taken to be melded; one may always end the deal."""
    hands = ["9C 6S", "2C"]
    free = position(PROFILES["rummy-500"], hands, "KD 3S", "KH")
    assert "take 3S" in free.plays()
    bound = position(PROFILES["rummy-500"], hands, "KD 3S")
    assert bound.plays() == ["end"]
    option = position({**PROFILES["rummy-500"], "upcard_free_when_stock_empty": True}, hands, "KD 3S")
    assert option.plays() == ["take 3S", "end"]
    fits = position(PROFILES["rummy-500"], hands, "KD 3S", melds=[(1, "4S 5S 6S")])
    assert fits.plays() == ["take 3S", "end"]
    run_of(fits, "end")
    result = fits.result()
    assert result is not None
    assert (fits.phase, result.reason, result.out, result.points) == ("over", "stock", None, [-15, 13])


def test_passes_end_the_deal() -> None:
    """D6: as many passes in a row as players, a player without cards among them; a take starts anew."""
    rules = profile("persian-rummy-gamerules")
    deal = position(rules, ["6S 9C", "", "5C", "3C"], "7S", melds=[(1, "8S 9S 10S")])
    run_of(deal, "take 7S", "lay 6S 7S on 1", "discard 9C", "pass", "pass", "pass")
    assert deal.phase == "draw"
    run_of(deal, "pass")
    result = deal.result()
    assert result is not None
    assert result.reason == "passes"


def test_no_progress() -> None:
    """D7: turns in a row that neither draw nor lay a card end the deal; the bound is an option."""
    rules = profile("rummy-500", upcard_free_when_stock_empty=True, no_progress_rounds=2)
    deal = position(rules, ["9C 6S", "2C JD"], "KD")
    for _ in range(4):
        assert deal.phase == "draw"
        deal.play(deal.plays()[0])
        deal.play(f"discard {deal.hand[0]}")
    result = deal.result()
    assert result is not None
    assert result.reason == "no_progress"


def test_joker_rules() -> None:
    """D9, D10, R-MELD-5: a new meld needs a natural card, a lay-off may be all jokers, each named."""
    deal = drawn(position(PROFILES["rummy-500"], ["JK JK 9C", "2C"], "KD", "KH", [(1, "4S 5S JK=6S")]))
    texts = card_plays(deal)
    assert {"lay JK=3S on 1", "lay JK=2S JK=3S on 1", "lay JK=3S JK=7S on 1", "meld JK=7C JK=8C 9C"} <= texts
    assert {"meld 9C JK=9S JK=9H", "meld KH JK=AH JK=QH"} & texts == {"meld 9C JK=9S JK=9H"}
    assert not any("6S" in text for text in texts)


def test_meld_only_and_upcard_with_no_cards() -> None:
    """D16, D18, H4: with no cards in hand the top card alone is taken only if it fits the table."""
    rules = profile("persian-rummy-gamerules", "H4", top_must_meld=False, sides=0, players=(2,))
    assert position(rules, ["", "5C"], "9D", "2C").plays() == ["draw"]
    fits = position(rules, ["", "5C"], "9D", "2C", [(1, "10D JD QD")])
    assert run_of(fits, "take 9D").plays() == ["lay 9D on 1"]
    result = run_of(fits, "lay 9D on 1").result()
    assert result is not None
    assert (result.reason, result.out, result.bonus) == ("out", 0, [25, 0])


def test_two_pack_sets() -> None:
    """D2, D20: suits repeat in a set only where the profile lets them, each as often as there are packs."""
    hands = ["6S 6S 6H 9C", "2C", "3D", "3H", "4D"]
    assert card_plays(drawn(position(PROFILES["500-rum"], hands, "KD", "KH"))) == set()
    deal = drawn(position(PROFILES["500-rummy"], [hands[0] + " 6H", *hands[1:]], "KD", "KH"))
    assert card_plays(deal) == {"meld 6S 6S 6H", "meld 6S 6H 6H", "meld 6S 6S 6H 6H"}


def test_take_of_a_card_with_a_twin_above() -> None:
    """D20: the number of cards is written where the pile holds the same card nearer the top."""
    deal = position(PROFILES["500-rum"], ["7S 8S", "2C", "3D", "3H", "4D"], "6S KD 6S", "KH")
    assert deal.plays() == ["draw", "take 6S", "take 6S:3"]
    deal.play("take 6S:3")
    assert len(deal.hand) == 5


# ---- house rules ----------------------------------------------------------------------------------------


def test_h1() -> None:
    """H1, R-DRAW-4: R's free top card is bound by the house rule."""
    for house_rules, free in ((), True), (("H1",), False):
        deal = position(profile("rummy-500", *house_rules), ["9C 6S", "2C"], "3S", "KH")
        assert ("take 3S" in deal.plays()) is free


def test_h2_floating() -> None:
    """H2, D26: melding the last card floats; a single card is laid off if it fits, else it goes out."""
    rules = profile("500-rum", "H2", top_must_meld=False)
    deal = position(rules, ["3S", "2C 9D"], "KD", "2S 10H 7S JD QH KC", [(1, "4S 5S 6S")])
    run_of(deal, "draw", "lay 2S 3S on 1")
    assert (deal.phase, deal.actor, deal.pile) == ("draw", 1, ["KD"])  # no discard
    run_of(deal, "draw", "discard 2C")
    assert deal.plays() == ["draw"]  # the 2C fits nowhere: alone it cannot be taken just to be discarded
    assert run_of(deal, "draw").plays() == ["lay 7S on 1"]
    run_of(deal, "lay 7S on 1", "draw", "discard JD")
    assert run_of(deal, "draw").plays() == ["discard QH"]
    result = run_of(deal, "discard QH").result()
    assert result is not None
    assert (result.reason, result.out) == ("out", 0)


def test_h2_floater_who_took_several() -> None:
    """H2: a floater who took several cards plays an ordinary turn, only the last card being bound."""
    melds = [(1, "4S 5S 6S"), (1, "10H JH QH")]
    deal = position(profile("500-rum", "H2"), ["", "2C 9D"], "7S KH 9C", "KC", melds)
    run_of(deal, "take 7S", "lay 7S on 1")
    assert set(deal.plays()) == {"lay KH on 2", "discard KH", "discard 9C"}
    assert run_of(deal.copy(), "lay KH on 2").plays() == ["discard 9C"]
    deal.hands[0] = ["KH"]
    assert deal.plays() == ["lay KH on 2"]


def test_h3_unnamed_jokers() -> None:
    """H3: two jokers beside one card have no names; only a natural card is the fourth."""
    deal = drawn(position(profile("rummy-500", "H3"), ["QS JK JK QH JK 9C", "2C"], "KD", "3D"))
    sets = {text for text in card_plays(deal) if text.startswith("meld QS JK") and "JK=" not in text}
    assert sets == {"meld QS JK JK"}
    assert {"meld QS QH JK=QD", "meld QS QH JK=QD JK=QC", "meld QS JK=QH JK=QD JK=QC"} <= card_plays(deal)
    assert not any(text.startswith("meld QS JK=QH JK=QD") and len(text.split()) == 4 for text in deal.plays())
    run_of(deal, "meld QS JK JK")
    assert {text for text in card_plays(deal) if text.endswith("on 1")} == {"lay QH on 1"}


def test_h4_upcard_kept() -> None:
    """H4, D3a: the top card taken alone is not discarded; no play may leave it as the last card."""
    deal = position(profile("rummy-500", "H4"), ["4S 5S 6S", "2C 9D"], "KD", "3D")
    run_of(deal, "take KD")
    assert set(deal.plays()) == {"discard 4S", "discard 5S", "discard 6S"}  # melding all three would strand
    fits = position(profile("rummy-500", "H4"), ["4S 5S 6S", "2C 9D"], "KD", "3D", [(1, "10D JD QD")])
    run_of(fits, "take KD")
    assert "meld 4S 5S 6S" in fits.plays()
    assert run_of(fits.copy(), "meld 4S 5S 6S").plays() == ["lay KD on 1"]


def test_h4_twin() -> None:
    """H4, D20: with its twin in hand, or once a copy was played this turn, the card may be discarded."""
    rules = profile("rummy-500", "H4")
    rest = ["2C", "3D", "3H", "4D"]
    twin = position(rules, ["KD 9C", *rest], "KD", "7H", [(1, "10D JD QD")])
    run_of(twin, "take KD")
    assert "discard KD" in twin.plays()
    run_of(twin, "lay KD on 1")
    assert (twin.known[0], "discard KD" in twin.plays()) == ([], True)


def test_h5_restock() -> None:
    """H5, D7: all but the top discard becomes the stock, in the order given; twice without a card laid."""
    deal = position(profile("500-rum", "H5"), ["9C", "2C"], "KD 3D 5H 7S", restock_order=sorted)
    assert deal.plays() == ["draw"]
    run_of(deal, "draw")
    assert (deal.hand, deal.stock, deal.pile) == (["9C", "3D"], ["5H", "KD"], ["7S"])
    run_of(deal, "discard 9C", "draw", "discard 5H", "draw", "discard KD")
    assert deal.plays() == ["draw"]
    run_of(deal, "draw", "discard 2C", "draw", "discard 3D", "draw", "discard 5H")
    assert (deal.stock, deal.restocks, deal.plays()) == ([], 2, ["end"])


def test_h6_first_play_from_pile_and_table_only() -> None:
    """R-CLAIM-2: no hand card helps in the first play, not even the fourth of a rank; then it is a turn."""
    rules = profile("persian-rummy", "H6")
    deal = position(rules, ["9D 3H", "6C 2C", "5C", "5D"], "6S 6H 6D", "KH KC")
    run_of(drawn(deal), "discard 9D")
    assert (deal.actor, deal.plays()) == (1, ["call 6S", "let go"])
    run_of(deal, "call 6S")
    assert deal.plays() == ["meld 6S 6H 6D"]
    run_of(deal, "meld 6S 6H 6D", "lay 6C on 1")
    assert (deal.points_laid[1], deal.hand) == (24, ["2C", "9D"])


def test_h6_floater_calls() -> None:
    """D19, H2: a player without cards may call, and floats on when all of it is laid."""
    deal = position(profile("500-rum", "H2", "H6"), ["7S 9D", ""], "KD", "KH 3C", [(0, "4S 5S 6S")])
    run_of(drawn(deal), "discard 7S", "call 7S", "lay 7S on 1")
    assert (deal.phase, deal.actor, deal.hands[1]) == ("draw", 0, [])


# ---- going out, scoring ---------------------------------------------------------------------------------


def test_michigan() -> None:
    """R-SCORE-4, D14: who goes out is credited with the hands; D14's "at once" ends at the target."""
    hands = ["3S", "KC AD", "5H"]
    deal = position(PROFILES["michigan-rum"], hands, "KD", "7C", [(1, "4S 5S 6S")])
    run_of(drawn(deal), "lay 3S on 1", "discard 7C")
    result = deal.result()
    assert result is not None
    assert (result.out, result.points) == (0, [3 + 30, 15, 0])
    at_once = profile("michigan-rum", match_end="at_once")
    deal = position(at_once, hands, "KD", "7C", [(1, "4S 5S 6S")], totals=[497, 0, 0])
    result = run_of(drawn(deal), "lay 3S on 1").result()
    assert result is not None
    assert (result.reason, result.out, result.points) == ("target", None, [3, 15, 0])


def test_going_out_bonus_and_partner() -> None:
    """D12, R-MATCH-5: the bonus goes to the seat that went out; a partner's meld is laid off on."""
    deal = position(PROFILES["persian-rummy"], ["3S", "KC", "JK", "5H"], "KD", "7C", [(2, "4S 5S 6S")])
    result = run_of(drawn(deal), "lay 3S on 1", "discard 7C").result()
    assert result is not None
    assert result.points == [28, -10, -5, -5]


# ---- whole deals ----------------------------------------------------------------------------------------


def house_rule_choices(name: str) -> list[tuple[str, ...]]:
    choices = [c for size in range(7) for c in combinations(HOUSE_RULES, size)]
    return [c for c in choices if permitted(PROFILES[name], c)]


def every_card(deal: Reference) -> list[str]:
    laid = [one.card for meld in deal.melds for one in meld.laid]
    return sorted([*chain(*deal.hands), *deal.pile, *deal.stock, *laid])


def eager(rng: random.Random, plays: list[str]) -> str:
    """Mostly at random, with a liking for laying cards and for the pile."""
    liked = [text for text in plays if text.split()[0] in ("meld", "lay", "take", "call")]
    return rng.choice(liked if liked and rng.random() < 0.6 else plays)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PROFILES)
def test_random_deals(name: str) -> None:
    """Every deal ends (D7), always with a legal play (D3a), cards conserved, in every kind of rule set."""
    rng = random.Random(name)
    for house_rules in rng.sample(house_rule_choices(name), depth(1, 3)):
        rules = read_rules(profile(name, *house_rules))
        players = rng.choice(rules.players)
        deck = full_deck(rules.packs(players), rules.jokers)
        rng.shuffle(deck)
        deal = Reference(rules, players, deck, dealer=rng.randrange(players))
        while deal.phase != "over":
            plays = deal.plays()
            assert plays
            assert len(set(plays)) == len(plays)
            for seat in range(players):
                assert all(deal.known[seat].count(c) <= deal.hands[seat].count(c) for c in deal.known[seat])
            deal.play(eager(rng, plays))
        assert every_card(deal) == sorted(deck)
        result = deal.result()
        assert result is not None
        assert result.melded == deal.points_laid


def test_copy_is_apart_and_refusals() -> None:
    deal = Reference(PROFILES["rummy-500"], 2, full_deck(1, 2))
    twin = deal.copy()
    run_of(twin, "draw", "discard 3S")
    assert (deal.phase, len(deal.hand), len(deal.stock)) == ("draw", 13, 27)
    with pytest.raises(IllegalPlayError):
        deal.play("discard AS")


def test_perft_of_a_small_deal() -> None:
    """Counted by hand: draw, three discards, and then the top card cannot be used."""
    rules = profile("500-rum", hand_two=2)
    deal = Reference(rules, 2, ["2S", "9H", "5C", "QD", "7S", "KD", "3H"])
    assert [perft(deal, depth) for depth in range(5)] == [1, 1, 3, 3, 9]
