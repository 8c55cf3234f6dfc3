"""The match layer: cut, deals, rotation, totals, the end and the settlement."""

from __future__ import annotations

import pytest

from rum500 import Discard, Draw, Event, IllegalPlay, Phase
from rum500.match import (
    CutAt,
    CutNeeded,
    DealScore,
    DrawAt,
    Match,
    MatchError,
    MatchOver,
    PackOrder,
    Payment,
    PlayNeeded,
    Resign,
    Restock,
    ShuffleNeeded,
    Standing,
)
from rum500.match.scores import by_account, ending, is_due, leader, settle
from rum500.rng import Rng
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.view import Result


def play_deal(match: Match, chance: Rng) -> None:
    """Random plays until the deal in progress is settled."""
    before = len(match.sheet)
    while len(match.sheet) == before and isinstance(match.decision, PlayNeeded):
        legal = match.decision.state.legal_ints()
        match.apply(legal[chance.below(len(legal))])


def play_out(match: Match, seed: int = 1, most: int = 60) -> Match:
    chance = Rng(seed)
    while not match.is_over and len(match.sheet) < most:
        play_deal(match, chance)
    return match


def draw_on(match: Match, deals: int) -> Match:
    """Draw from the stock and throw the card of the highest code, turn after turn."""
    while len(match.sheet) < deals:
        match.apply(match.decision.state.legal_ints()[0 if match.decision.state.phase is Phase.DRAW else -1])
    return match


def result(points: list[int], reason: str = "out", out: int | None = 0) -> Result:
    none = (0,) * len(points)
    return Result(reason, out, tuple(points), none, none, none, none, tuple(points), ((),) * len(points))


# --- cut and deal ----------------------------------------------------------------------------------


def test_the_player_at_the_dealers_right_cuts_and_the_dealer_completes_the_cut():
    """R-DEAL-1, R-DEAL-2, R-DEAL-3."""
    rules = ruleset("500-rum")
    match = Match(rules, 3, dealer=0)
    deck = tuple(rules.deck(3))
    assert match.decision == ShuffleNeeded(0, "deal", deck)
    match.apply(PackOrder(deck))
    assert match.decision == CutNeeded(2, 52)
    events = match.apply(CutAt(20))
    assert match.deck == deck[20:] + deck[:20]
    assert match.shuffled == deck
    assert isinstance(match.decision, PlayNeeded) and match.decision.seat == 1
    assert match.state.hands[1] == tuple(sorted(match.deck[0:21:3]))
    assert match.state.pile == (match.deck[21],)
    deal = events[-1]
    assert [event.kind for event in events] == ["cut", "deal"]
    assert deal.seen_by(None) == {
        "kind": "deal",
        "seat": 0,
        "number": 1,
        "upcard": match.deck[21],
        "stock": 30,
        "hand_sizes": (7, 7, 7),
    }
    assert deal.seen_by(2)["hand"] == match.state.hands[2]


@pytest.mark.parametrize("position", [0, 52, -1])
def test_a_cut_leaves_cards_in_both_parts(position):
    """R-DEAL-1."""
    match = Match(ruleset("500-rum"), 2, Rng(3), dealer=0)
    with pytest.raises(MatchError, match="1 to 51"):
        match.apply(CutAt(position))
    assert match.decision == CutNeeded(1, 52)


def test_events_never_contain_the_order_of_the_pack():
    """D21."""
    match = Match.quick(ruleset("500-rum"), 2, seed=5)
    stock = set(match.state.stock)
    for seat in (None, 0, 1):
        hand = set() if seat is None else set(match.state.hands[seat])
        for event in match.events:
            seen = event.seen_by(seat)
            if event.kind not in ("draw_for_deal", "seated"):
                assert set(seen.get("hand", ())) <= hand
                assert not {"deck", "order"} & set(seen)
        assert stock.isdisjoint(match.view(seat).deal.hand)


def test_the_deal_passes_to_the_left_and_the_sheet_adds_up():
    """D15, R-SCORE-1, R-MATCH-1."""
    match = play_out(Match.quick(ruleset("500-rum"), 3, seed=2), most=5)
    dealers = [row.dealer for row in match.sheet]
    assert dealers == [(dealers[0] + i) % 3 for i in range(len(dealers))]
    assert [row.number for row in match.sheet] == list(range(1, len(dealers) + 1))
    total = (0, 0, 0)
    for row in match.sheet:
        assert row.points == row.result.points
        total = tuple(a + b for a, b in zip(total, row.points, strict=True))
        assert row.totals == total
    assert match.totals == match.accounts == total
    assert match.state.number == match.number
    assert [match.view(seat).deal.number for seat in (None, 0, 2)] == [match.number] * 3


def test_a_sides_points_are_one_account():
    """R-MATCH-5: partners' totals are alike, and the next deal begins from them."""
    match = Match.quick(ruleset("partnership-500-rum"), 4, seed=2)
    play_deal(match, Rng(1))
    row = match.sheet[0]
    p = row.result.points
    assert row.points == (p[0] + p[2], p[1] + p[3]) == match.accounts
    assert match.totals == match.accounts * 2
    assert match.state.totals == match.totals


def test_the_totals_go_into_the_deal_so_that_the_target_can_end_it_at_once():
    """D14."""
    rules = ruleset("michigan-rum", match_end="at_once", target=60)
    match = play_out(Match.quick(rules, 2, seed=4))
    last = match.sheet[-1]
    assert last.result.reason == "target"
    assert match.result.reason == "target"
    assert match.result.winners == (match.seating[last.result.out],)
    assert max(last.totals) >= 60
    assert last.result.collected == last.result.deducted == (0, 0)


@pytest.mark.parametrize("name", profile_names())
def test_the_same_inputs_make_the_same_match(name):
    """State = fold(rules, inputs): replayed without a generator, event by event."""
    rules = ruleset(name)
    players = rules.players[-1]
    names = [f"P{seat}" for seat in range(players)]
    match = play_out(Match.quick(rules, players, seed=3, names=names), most=2)
    again = Match.replay(rules, players, match.inputs, names)
    assert again.events == match.events
    assert again.inputs == match.inputs
    assert (again.sheet, again.accounts, again.names) == (match.sheet, match.accounts, match.names)
    assert again.view(0) == match.view(0)


def test_resumed_match_continues_as_without_a_pause():
    rules = ruleset("rummy-500", house_rules=("H5",))
    whole = play_out(Match.quick(rules, 2, seed=9), most=2)
    half = whole.inputs[: len(whole.inputs) // 2]
    match = Match(rules, 2, Rng(9), auto=("draw", "cut"), inputs=half)
    rest = [
        entry
        for entry in whole.inputs[len(match.inputs) :]
        if not isinstance(entry, PackOrder | CutAt | DrawAt)
    ]
    for entry in rest:
        match.apply(entry)
    assert match.inputs == whole.inputs


def test_a_draw_from_a_new_stock_is_written_down_with_its_order():
    """H5: the record keeps the order, which no event contains."""
    rules = ruleset("rummy-500", house_rules=("H5",))
    match = draw_on(Match.quick(rules, 2, seed=1), 1)
    restocks = [entry for entry in match.inputs if isinstance(entry, Restock)]
    restocked = [event for event in match.events if event.kind == "restock"]
    assert len(restocks) == 2
    assert [tuple(sorted(entry.cards)) for entry in restocks] == [
        event.public["cards"] for event in restocked
    ]
    assert all(entry.cards != tuple(sorted(entry.cards)) for entry in restocks)
    assert Match.replay(rules, 2, match.inputs).events == match.events


def test_without_a_generator_a_new_stock_needs_its_order():
    """H5."""
    rules = ruleset("rummy-500", house_rules=("H5",))
    inputs = draw_on(Match.quick(rules, 2, seed=1), 1).inputs
    at = next(i for i, entry in enumerate(inputs) if isinstance(entry, Restock))
    match = Match.replay(rules, 2, inputs[:at])
    with pytest.raises(MatchError, match="needs its order"):
        match.apply(Draw())
    with pytest.raises(MatchError, match="H5"):
        match.apply(Restock(inputs[at].cards[1:]))
    match.apply(inputs[at])
    assert match.state.view(0).restocks == 1


def test_an_answer_that_does_not_fit_changes_nothing():
    match = Match(ruleset("500-rum"), 2, Rng(1), dealer=1)
    for wrong in (DrawAt(0), Draw(), PackOrder(()), Restock(())):
        with pytest.raises(MatchError, match="does not answer"):
            match.apply(wrong)
    match.apply(26)
    before = match.inputs
    with pytest.raises(IllegalPlay):
        match.apply(Discard(match.state.hands[0][0]))
    with pytest.raises(MatchError):
        match.apply(CutAt(3))
    assert match.inputs == before and match.state.phase is Phase.DRAW


def test_an_order_holds_the_whole_pack():
    match = Match(ruleset("500-rum"), 2, dealer=0)
    with pytest.raises(MatchError, match="these 52 cards are not the whole pack of 52 cards"):
        match.apply(PackOrder(tuple(range(52))))
    with pytest.raises(MatchError, match="a number answers no shuffle"):
        match.apply(3)


def test_wrong_players_names_and_dealers_are_refused():
    with pytest.raises(RulesetError):
        Match(ruleset("persian-rummy"), 3)
    with pytest.raises(ValueError, match="1 names"):
        Match(ruleset("500-rum"), 2, names=["Ann"])
    with pytest.raises(ValueError, match="seat 2 is not at this table"):
        Match(ruleset("500-rum"), 2, dealer=2)


def test_views_of_a_match_hold_what_a_seat_may_know():
    match = Match(ruleset("500-rum"), 2, Rng(1), names=["Ann", "Bob"])
    view = match.view(1)
    assert (view.waiting_for, view.actor, view.names, view.deal) == ("draw", 0, ("Ann", "Bob"), None)
    assert view.positions == tuple(range(52))
    match = Match.quick(ruleset("500-rum"), 2, seed=1)
    assert match.view(0).waiting_for == "play"
    assert match.view(0).deal == match.state.view(0)
    assert match.view(None).deal.hand == ()
    assert match.view(1).actor == match.state.actor


# --- ends of matches -------------------------------------------------------------------------------


def test_first_to_500_and_the_highest_of_several():
    """R-MATCH-1, R-MATCH-2."""
    rules = ruleset("500-rum")
    assert ending(rules, (499, 300), 4, False, result([10, 0])) is None
    assert ending(rules, (500, 300), 4, False, result([10, 0])) == ("target", 0)
    assert ending(rules, (505, 560, 510), 4, False, result([10, 60, 0])) == ("target", 1)


def test_equal_highest_totals_play_deciding_deals_for_everybody():
    """R-MATCH-3, D25: until one is ahead, whether or not the target is still held."""
    rules = ruleset("500-rum")
    assert ending(rules, (510, 510, 20), 4, False, result([1, 1, 1])) is None
    assert is_due(rules, (510, 510, 20), 4) and not is_due(rules, (499, 10, 20), 4)
    assert ending(rules, (490, 490, 20), 5, True, result([1, 1, 1])) is None
    assert ending(rules, (495, 480, 20), 5, True, result([1, 1, 1])) == ("target", 0)
    assert ending(rules, (495, 480, 530), 5, True, result([1, 1, 1])) == ("target", 2)


def test_ties_may_be_drawn_instead():
    """R-MATCH-3."""
    rules = ruleset("500-rum", ties="drawn")
    assert ending(rules, (510, 510), 4, False, result([1, 1])) == ("target", None)


def test_a_match_of_two_deals():
    """R-MATCH-1, D13: a tied one is drawn and pays no bonus."""
    rules = ruleset("persian-rummy")
    assert ending(rules, (900, 0), 1, False, result([0] * 4)) is None
    assert ending(rules, (90, 80), 2, False, result([0] * 4)) == ("deals", 0)
    assert ending(rules, (80, 80), 2, False, result([0] * 4)) == ("deals", None)
    drawn = settle(rules, "deals", [Standing((0, 2), 80), Standing((1, 3), 80)], None)
    assert (drawn.drawn, drawn.winners, drawn.bonus, drawn.final, drawn.payments) == (
        True,
        (),
        0,
        (80, 80),
        (),
    )


def test_a_match_of_two_deals_may_have_deciding_ones():
    rules = ruleset("persian-rummy", ties="deciding")
    assert ending(rules, (80, 80), 2, False, result([0] * 4)) is None
    assert ending(rules, (80, 90), 3, True, result([0] * 4)) == ("deals", 1)


def test_most_deals_end_a_match_without_bonus():
    """D23."""
    rules = ruleset("500-rum", max_deals=3, match_bonus=50)
    assert ending(rules, (300, 310), 2, False, result([0, 0])) is None
    assert ending(rules, (300, 310), 3, False, result([0, 0])) == ("max_deals", 1)
    assert ending(rules, (310, 310), 3, False, result([0, 0])) == ("max_deals", None)
    assert ending(rules, (510, 310), 3, False, result([0, 0])) == ("target", 0)
    assert ending(rules, (510, 510), 3, False, result([0, 0])) == ("max_deals", None)
    assert settle(rules, "max_deals", [Standing((0,), 300), Standing((1,), 310)], 1).final == (300, 310)
    assert settle(rules, "target", [Standing((0,), 510), Standing((1,), 310)], 0).final == (560, 310)


def test_the_at_once_winner_is_who_reached_the_target():
    """D14."""
    rules = ruleset("michigan-rum", match_end="at_once")
    assert ending(rules, (510, 505), 4, True, result([0, 5], "target", 1)) == ("target", 1)


def test_negative_totals_are_no_ones_target():
    """R-SCORE-1."""
    rules = ruleset("500-rum")
    assert ending(rules, (-40, -3), 2, False, result([0, 0])) is None
    assert leader((-40, -3)) == 1
    assert leader((-3, -3)) is None


# --- settlement ------------------------------------------------------------------------------------


def test_the_winner_collects_the_difference_from_each_opponent():
    """R-MATCH-4 (H)."""
    done = settle(ruleset("500-rum"), "target", [Standing((i,), t) for i, t in enumerate((510, -20, 300))], 0)
    assert done.payments == (Payment((1,), (0,), 530), Payment((2,), (0,), 210))
    assert (done.margins, done.winners, done.totals) == ((0, 530, 210), (0,), (510, -20, 300))


def test_sides_settle_in_one_payment_with_the_bonus_added_first():
    """D30, R-MATCH-4 (H, F): (winner + 50) − loser."""
    done = settle(ruleset("persian-rummy"), "deals", [Standing((0, 2), 120), Standing((1, 3), 200)], 1)
    assert (done.bonus, done.final) == (50, (120, 250))
    assert done.payments == (Payment((0, 2), (1, 3), 130),)


def test_in_gs_game_the_highest_total_wins_without_bonus():
    """R-MATCH-4 (G)."""
    rules = ruleset("persian-rummy-gamerules")
    done = settle(rules, "deals", [Standing((0, 2), 120), Standing((1, 3), 200)], 1)
    assert (done.bonus, done.final, done.payments, done.winners) == (0, (120, 200), (), (1, 3))


def test_margins_without_a_settlement():
    """D17."""
    done = settle(
        ruleset("rummy-500"), "target", [Standing((i,), t) for i, t in enumerate((90, 520, 300))], 1
    )
    assert (done.payments, done.margins) == ((), (430, 0, 220))


def test_points_by_side():
    """R-MATCH-5."""
    assert by_account(ruleset("persian-rummy"), (1, 10, 100, 1000)) == (101, 1010)
    assert by_account(ruleset("500-rum"), (1, 10, 100)) == (1, 10, 100)


def test_a_whole_match_ends_with_its_settlement():
    """R-MATCH-4, H: a match by random players to 500."""
    match = play_out(Match.quick(ruleset("500-rum"), 2, seed=6))
    done = match.result
    assert isinstance(match.decision, MatchOver)
    assert match.is_over and done.reason == "target"
    assert done.totals == match.accounts == match.sheet[-1].totals
    winner = match.accounts.index(max(match.accounts))
    assert done.winners == (winner,)
    assert done.payments == (Payment((1 - winner,), (winner,), abs(match.accounts[0] - match.accounts[1])),)
    last = match.events[-1]
    assert last.kind == "match_over" and last.public["winners"] == (winner,)
    assert [event.kind for event in match.events].count("settle") == len(match.sheet)
    assert isinstance(match.sheet[0], DealScore) and isinstance(last, Event)
    assert match.view(None).result == done
    with pytest.raises(MatchError, match="over"):
        match.apply(Resign(0))


def test_persian_matches_are_two_deals_long():
    """R-MATCH-1."""
    match = play_out(Match.quick(ruleset("persian-rummy"), 4, seed=6))
    assert len(match.sheet) == 2
    assert match.result.reason == "deals"


def test_a_tie_in_play_leads_to_a_deciding_deal():
    """R-MATCH-3, D25: equal totals at the target are not the end; the next deal that parts them is."""
    match = Match.quick(ruleset("500-rum"), 2, seed=3)
    play_deal(match, Rng(1))
    points = match.accounts
    match = Match.quick(ruleset("500-rum"), 2, seed=3)
    match.accounts = (700 - points[0], 700 - points[1])
    play_deal(match, Rng(1))
    assert match.accounts == (700, 700) and not match.is_over
    match.accounts = (400, 400)
    play_deal(match, Rng(2))
    assert match.accounts[0] != match.accounts[1]
    assert match.result.reason == "target" and len(match.sheet) == 2


# --- forfeits --------------------------------------------------------------------------------------


def test_one_of_two_who_resigns_loses():
    match = Match.quick(ruleset("500-rum"), 2, seed=1)
    match.accounts = (100, 340)
    events = match.apply(Resign(1))
    done = match.result
    assert [event.kind for event in events] == ["resign", "match_over"]
    assert (done.reason, done.winners, done.standings[1].left) == ("forfeit", (0,), True)
    assert done.payments == (Payment((1,), (0,), 0),)


def test_a_side_that_resigns_pays_the_bonus_at_least():
    """The one who resigns never collects, though ahead; the bonus is paid as at the table."""
    match = Match.quick(ruleset("persian-rummy"), 4, seed=1)
    match.accounts = (300, 100)
    seat = 2
    match.apply(Resign(seat))
    done = match.result
    assert done.winners == tuple(match.seating[s] for s in (1, 3))
    assert done.payments == (Payment((0, 2), (1, 3), 50),)
    behind = Match.quick(ruleset("persian-rummy"), 4, seed=1)
    behind.accounts = (100, 300)
    behind.apply(Resign(0))
    assert behind.result.payments == (Payment((0, 2), (1, 3), 250),)


def test_one_of_several_leaves_and_the_others_close_ranks():
    match = Match.quick(ruleset("500-rum"), 3, seed=1, names=["Ann", "Bob", "Cid"], dealer=2)
    play_deal(match, Rng(1))
    totals, deck = match.accounts, match.deck
    assert match.dealer == 0
    events = match.apply(Resign(1))
    assert [event.kind for event in events][:2] == ["resign", "seated"]
    assert (match.players, match.names, match.dealer) == (2, ("Ann", "Cid"), 0)
    assert match.accounts == (totals[0], totals[2])
    assert match.state.hands[1] and len(match.state.hands[1]) == 13
    assert match.deck != deck and match.number == 2
    play_out(match)
    done = match.result
    assert done.standings[-1] == Standing((1,), totals[1], True)
    winner = done.winners[0]
    assert winner in (0, 2)
    assert {payment.payer for payment in done.payments} == {(p,) for p in range(3) if p != winner}
    assert min(payment.points for payment in done.payments) >= 0
    assert Match.replay(match.rules, 3, match.inputs, ["Ann", "Bob", "Cid"], dealer=2).events == match.events


def test_when_the_dealer_leaves_the_next_to_the_left_deals():
    match = Match.quick(ruleset("500-rum"), 4, seed=1, dealer=3)
    match.apply(Resign(3))
    assert (match.dealer, match.players) == (0, 3)
    match = Match.quick(ruleset("500-rum"), 4, seed=1, dealer=1)
    match.apply(Resign(0))
    assert (match.dealer, match.seating) == (0, (1, 2, 3))


def seated_anew(match: Match, seat: int) -> dict[str, object]:
    """Return the new seats after this seat has resigned."""
    return next(event.public for event in match.apply(Resign(seat)) if event.kind == "seated")


def test_the_score_keeper_keeps_the_score_while_at_the_table():
    """R-DEAL-5: by the new seats; and if the keeper leaves, the dealer of the day takes it over for good."""
    rules = ruleset("500-rum", dealer_keeps_score=True)
    match = Match.quick(rules, 4, seed=3)
    assert (match.dealer, match.scorer) == (1, 1)
    assert seated_anew(match, 0) == {"seating": (1, 2, 3), "dealer": 0, "scorer": 0}
    match = Match.quick(rules, 4, seed=3)
    play_deal(match, Rng(1))
    assert (match.dealer, match.scorer) == (2, 1)
    assert seated_anew(match, 3)["scorer"] == match.view(2).scorer == 1
    assert seated_anew(match, 1) == {"seating": (0, 2), "dealer": 1, "scorer": 1}
    play_deal(match, Rng(2))
    assert (match.dealer, match.scorer) == (0, 1)


def test_who_deals_and_keeps_score_when_the_dealer_leaves():
    """R-DEAL-5: the player to the left does both."""
    match = Match.quick(ruleset("500-rum", dealer_keeps_score=True), 4, seed=1, dealer=3)
    assert seated_anew(match, 3) == {"seating": (0, 1, 2), "dealer": 0, "scorer": 0}
    assert seated_anew(Match.quick(ruleset("500-rum"), 4, seed=1, dealer=3), 3)["scorer"] is None


def test_leaving_during_the_draw_restarts_it():
    match = Match(ruleset("500-rum"), 3, Rng(1))
    match.apply(DrawAt(4))
    match.apply(Resign(0))
    assert match.players == 2
    assert match.decision.seat == 0 and match.decision.positions == tuple(range(52))


def test_a_game_that_cannot_go_on_is_won_by_the_highest_left():
    match = Match.quick(ruleset("500-rum", players=(3,)), 3, seed=1)
    match.accounts = (500, 20, 60)
    match.apply(Resign(0))
    assert (match.result.reason, match.result.winners) == ("forfeit", (2,))
    assert match.result.payments == (Payment((1,), (2,), 40), Payment((0,), (2,), 0))


def test_only_a_seat_at_the_table_can_resign():
    with pytest.raises(MatchError, match="seat 2"):
        Match.quick(ruleset("500-rum"), 2, seed=1).apply(Resign(2))
