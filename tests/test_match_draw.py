"""The draw for deal: who deals, who are partners, which ties are drawn again (R-DEAL-1, D15, D29)."""

from __future__ import annotations

import pytest

from rum500.cards import cards_from_text
from rum500.match import DrawAt, DrawNeeded, Match, MatchError, PackOrder, Resign, ShuffleNeeded
from rum500.match.draw_for_deal import DrawForDeal, draw_rank
from rum500.rng import Rng
from rum500.rules.profiles import profile_names, ruleset

G = "persian-rummy-gamerules"


def drawn(name: str, cards: str, players: int) -> Match:
    """A match in which these cards are drawn for deal, in this order."""
    rules = ruleset(name)
    first = cards_from_text(cards)
    rest = rules.deck(players)
    for card in first:
        rest.remove(card)
    match = Match(rules, players, dealer=None)
    match.apply(PackOrder((*first, *rest)))
    for position in range(len(first)):
        match.apply(DrawAt(position))
    return match


def test_low_deals_and_the_ace_is_lowest():
    """R-DEAL-1."""
    match = drawn("500-rum", "2S KD AH", 3)
    assert match.dealer == 2
    assert match.decision == ShuffleNeeded(2, "deal", tuple(match.rules.deck(3)))


@pytest.mark.parametrize("name", [name for name in profile_names() if name != G])
def test_low_deals_in_every_profile_that_draws_no_partners(name):
    """D29: where a source is silent, as H."""
    players = ruleset(name).players[0]
    match = drawn(name, ("9S 5C" if players == 2 else "9S JC 5C 6C"), players)
    assert match.dealer == (1 if players == 2 else 2)
    assert match.seating == tuple(range(players))


def test_jokers_are_highest():
    """D15."""
    assert drawn("rummy-500", "JK KD", 2).dealer == 1
    assert [draw_rank(card) for card in cards_from_text("AS KS JK")] == [0, 12, 13]


def test_only_those_who_tie_for_the_deal_draw_again():
    """D15: they keep their place among the rest, however high their second cards."""
    match = drawn("500-rum", "5S 5H 9C 7D", 4)
    assert match.decision == DrawNeeded(0, tuple(range(4, 52)), again=True)
    again = match.events[-1]
    assert (again.kind, again.public["seats"]) == ("draw_again", (0, 1))
    match = drawn("500-rum", "5S 5H 9C 7D KD QD", 4)
    assert match.dealer == 1
    assert match.view(None).drawn == tuple(map(tuple, map(cards_from_text, ("5S KD", "5H QD", "9C", "7D"))))


def test_ties_that_decide_nothing_stand():
    """D15: suits do not count, and only who deals matters."""
    assert drawn("500-rum", "5S 9H 9C 9D", 4).dealer == 0


def test_a_tie_may_be_tied_again():
    """D15."""
    match = drawn("500-rum", "5S 5H 5C 8D 8H 9C 2D 2H", 3)
    assert match.decision.seat == 0 and match.decision.again
    match = drawn("500-rum", "5S 5H 5C 8D 8H 9C 2D AH", 3)
    assert match.dealer == 1


def test_pack_is_spread_again_when_too_few_cards_lie():
    draw = DrawForDeal(2, partners=False)
    draw.spread(cards_from_text("5S 5H 6C"))
    draw.draw(0)
    draw.draw(0 + 1)
    assert draw.waiting == [0, 1] and draw.decision([5]) == ShuffleNeeded(0, "draw", (5,))
    draw.spread(cards_from_text("5S 5H 6C"))
    draw.draw(2)
    draw.draw(1)
    assert draw.order() == [1, 0]


def test_gs_two_lowest_are_partners_and_the_third_sits_at_the_dealers_left():
    """R-DEAL-1 (G), D15, R-DEAL-5."""
    match = drawn(G, "9S AH 2C JK", 4)
    assert match.dealer == 1
    # The lowest (1) stays; its partner (2) sits opposite, at seat 3; the third (0) at the left, seat 2.
    assert match.seating == (3, 1, 0, 2)
    assert match.names == ("Player 4", "Player 2", "Player 1", "Player 3")
    assert match.rules.side(1) == match.rules.side(3)
    assert match.scorer == 1
    assert match.events[-1].public == {"dealer": 1, "seating": (3, 1, 0, 2), "scorer": 1}


def test_gs_ties_for_partner_are_drawn_again():
    """D15: the second and the third lowest are alike."""
    match = drawn(G, "2S 9H 9C KD", 4)
    assert (match.decision.seat, match.decision.again) == (1, True)
    match = drawn(G, "2S 9H 9C KD 3S 3D QS AD", 4)
    assert match.seating == (0, 1, 2, 3)  # 2 drew the ace: partner of 0, who deals
    assert match.dealer == 0


def test_gs_ties_for_the_deal_are_drawn_again():
    """D15: the two lowest are partners either way, but one of them deals."""
    match = drawn(G, "2S 2H 9C KD", 4)
    assert (match.decision.seat, match.decision.again) == (0, True)
    assert drawn(G, "2S 2H 9C KD 5S 4S", 4).dealer == 1


def test_gs_tie_of_the_two_highest_stands():
    """D15: it decides neither the deal nor partners; the nearer to the dealer's left sits there."""
    assert drawn(G, "2S 9H 9C 3D", 4).seating == (0, 1, 3, 2)
    assert drawn(G, "9S 2S 3C 9D", 4).seating == (0, 1, 3, 2)


def test_the_first_dealer_keeps_score_for_the_whole_match():
    """R-DEAL-5 (G)."""
    match = Match.quick(ruleset(G), 4, seed=3)
    first = match.scorer
    assert first == match.dealer
    chance = Rng(2)
    while len(match.sheet) < 1:
        legal = match.decision.state.legal_ints()
        match.apply(legal[chance.below(len(legal))])
    assert match.dealer == (first + 1) % 4
    assert match.scorer == first
    assert Match.quick(ruleset("persian-rummy"), 4, seed=3).scorer is None


def test_drawn_cards_are_reported_with_the_seat_that_drew_them():
    """R-DEAL-1 (G), D15: the draw seats the players anew, and their cards go with them."""
    match = drawn(G, "9S AH 2C JK", 4)
    assert match.seating == (3, 1, 0, 2)
    assert match.view(0).drawn == tuple(map(tuple, map(cards_from_text, ("JK", "AH", "9S", "2C"))))
    quick = Match.quick(ruleset(G), 4, seed=0)
    cards = [
        next(e.public["card"] for e in quick.events if e.kind == "draw_for_deal" and e.seat == player)
        for player in quick.seating
    ]
    assert [own[0] for own in quick.view(None).drawn] == cards


def test_who_leaves_takes_the_drawn_cards_along():
    """R-DEAL-1."""
    match = drawn("500-rum", "5S 9H 2C", 3)
    match.apply(Resign(1))
    assert match.view(None).drawn == tuple(map(tuple, map(cards_from_text, ("5S", "2C"))))
    match = Match(ruleset("500-rum"), 3, Rng(1))
    match.apply(DrawAt(4))
    match.apply(Resign(0))
    assert match.view(None).drawn == ((), ())


def test_without_a_draw_nobody_has_drawn():
    assert Match.quick(ruleset("500-rum"), 3, dealer=1).view(None).drawn == ()


def test_a_card_can_be_drawn_once():
    match = drawn("500-rum", "5S", 2)
    with pytest.raises(MatchError, match="position 0"):
        match.apply(DrawAt(0))
    assert match.apply(3)[0].public["position"] == 3


@pytest.mark.parametrize("name", profile_names())
def test_the_generator_draws_where_asked_to(name):
    rules = ruleset(name)
    seen = set()
    for seed in range(25):
        match = Match.quick(rules, rules.players[0], seed=seed)
        assert sorted(match.seating) == list(range(match.players))
        seen.add(match.dealer)
    assert seen == set(range(rules.players[0]))
