"""Luck and the breakdown of a deal: sums are exact, means are 0, and every game has one."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from statistics import mean, stdev

import pytest

from bench.review_values import luck_rows
from rum500 import ruleset
from rum500.ai.heuristic_levels import class_of, policy
from rum500.ai.outcomes import Outcomes
from rum500.ai.policy import SeatPolicies
from rum500.ai.policy_deals import club_deals
from rum500.intervals import error_of_mean
from rum500.review.breakdown import breakdown_of_match, deal_breakdowns, match_breakdown
from rum500.review.luck import DealLuck, luck_of_deal, mean_margins
from rum500.review.luck_factors import FILE, luck_factors
from rum500.review.played_deal import KINDS, PlayedDeal, kinds_elsewhere, margins
from rum500.rules.engine.core import DRAW, PHASE_DRAW
from rum500.rules.profiles import profile_names, profiles
from rum500.state import State, deal
from rum500.state.core_setup import new_core
from tests.support.depth import depth
from tests.support.records import random_record
from tests.support.reviewed import bots_record
from tools.luck_factors import differences, least_squares

pytestmark = pytest.mark.compiled

BOTS = ("club", "casual", "greedy")
CLUB = KINDS[:1]
GAMES = [(name, players) for name in profile_names() for players in profiles()[name].players]
ENDS = [
    game for game in GAMES if game[1] in (profiles()[game[0]].players[0], profiles()[game[0]].players[-1])
]


def before_a_draw(profile: str, players: int, left: int, seed: int = 0) -> State:
    """A deal of `club` in which somebody may draw from a stock of so many cards."""
    rules = ruleset(profile)
    club = policy(rules, players)
    for number in range(seed, 10_000):
        state = deal(rules, players, seed=number)
        while not state.is_over:
            core = state.core
            if core.phase == PHASE_DRAW and core.stock_end - core.stock_next == left:
                return state
            state.apply_int(club.choice(core))
    raise AssertionError("no such deal")


def test_the_luck_of_a_draw_is_0_on_average_exactly_where_all_orders_are_counted() -> None:
    """With four cards in the stock: the mean of the values after each card is the value before."""
    rules = ruleset("500-rum")
    outcomes = Outcomes(SeatPolicies([policy(rules, 2)] * 2))
    for seed in range(3):
        state = before_a_draw("500-rum", 2, 4, 100 * seed)
        points, orders = outcomes.value(state.core, 1, 5, 192)
        assert orders == 24
        means = []
        for card in state.stock:
            after = state.copy()
            rest = list(state.stock)
            rest.remove(card)
            after.core.set_stock([card, *rest])
            after.apply_int(DRAW)
            sums, few = outcomes.value(after.core, 0, 9, 192)
            assert few == 6
            means.append([Fraction(total, few) for total in sums])
        for seat in (0, 1):
            assert sum(mean[seat] for mean in means) / 4 == Fraction(points[seat], orders)


def test_the_luck_of_a_draw_is_0_on_average_where_orders_are_drawn_by_lot() -> None:
    rules = ruleset("500-rum")
    outcomes, orders = Outcomes(SeatPolicies([policy(rules, 2)] * 2)), depth(2_000, 20_000)
    state = before_a_draw("500-rum", 2, 12)
    points, _ = outcomes.value(state.core, 1, 5, orders * 12)
    total = 0
    for number, card in enumerate(state.stock):
        after = state.copy()
        rest = list(state.stock)
        rest.remove(card)
        after.core.set_stock([card, *rest])
        after.apply_int(DRAW)
        total += outcomes.value(after.core, 0, number, orders)[0][0]
    assert total / (12 * orders) == pytest.approx(points[0] / (12 * orders), abs=depth(2.5, 0.8))


def test_a_value_does_not_know_the_order_of_the_stock() -> None:
    rules = ruleset("persian-rummy")
    state = before_a_draw("persian-rummy", 4, 10)
    other = state.copy()
    cards = list(state.stock)
    random.Random(1).shuffle(cards)
    assert cards != list(state.stock)
    other.core.set_stock(cards)
    outcomes = Outcomes(SeatPolicies([policy(rules, 4)] * 4))
    assert outcomes.value(state.core, 1, 3, 50) == outcomes.value(other.core, 1, 3, 50)


def test_a_restock_is_a_draw_like_others() -> None:
    """With an empty stock the value before the draw is one over orders of the pile (H5)."""
    rules = ruleset("rummy-500", ["H5"])
    found = 0
    for seed in range(40):
        played = PlayedDeal.of(bots_record(rules, ["random", "random"], seed), 1)
        fresh = [c.number for c in played.choices if c.played == DRAW and not c.before.stock]
        if fresh:
            luck = luck_of_deal(played, orders=8)
            assert set(fresh) <= {draw.number for draw in luck.draws}
            assert whole(luck) == margins(played.final.scores(), rules)
            found += 1
        if found == 2:
            return
    raise AssertionError("no restock")


def whole(luck: DealLuck) -> tuple[Fraction, ...]:
    """The sum of all parts of the luck in a deal, by seat."""
    seats = range(len(luck.dealt))
    drawn = [sum(draw.gains[seat] for draw in luck.draws) for seat in seats]
    return tuple(luck.mean[s] + luck.dealt[s] + drawn[s] + luck.hindsight[s] for s in seats)


@pytest.mark.parametrize("name", ["500-rum", "partnership-500-rummy"])
def test_among_club_everything_is_luck(name: str) -> None:
    """Where all play like the measure, the deal and the draws explain the result, and nothing is left."""
    rules = ruleset(name)
    record = bots_record(rules, ["club"] * rules.players[0], 4)
    luck = luck_of_deal(PlayedDeal.of(record, 1), orders=8)
    assert not any(luck.hindsight)
    assert whole(luck) == margins(record.final(1).scores(), rules)


@pytest.mark.whole
def test_among_casual_everything_is_luck_too_once_it_is_known() -> None:
    """The kind of a player shows in the other deals of its match, and in these alone."""
    rules = ruleset("500-rum")
    record = bots_record(rules, ["casual", "club"], 4, deals=3)
    deals = [PlayedDeal.of(record, number) for number in (1, 2, 3)]
    assert kinds_elsewhere(deals) == [("casual", "club")] * 3
    assert kinds_elsewhere(deals[:1]) == [("", "")]
    for number, breakdown in enumerate(match_breakdown(record, worlds=2, orders=8).deals, 1):
        assert not any(breakdown.luck.hindsight)
        assert breakdown.luck.mean != breakdown.luck.place
        assert whole(breakdown.luck) == margins(record.final(number).scores(), rules)
        assert [breakdown] == list(deal_breakdowns(record, [number], worlds=2, orders=8))


@pytest.mark.whole
def test_luck_is_0_on_average_and_explains_most_of_the_spread() -> None:
    """Among `club`: the mean of all luck is 0 within two errors, and less of the spread is left than 0.62."""
    rows = luck_rows("500-rum", ("club", "club"), 600, 5)
    luck = [row.luck for row in rows]
    assert abs(mean(luck)) < 2 * error_of_mean(luck)
    assert stdev(row.margin - row.luck for row in rows) < 0.62 * stdev(row.margin for row in rows)


@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "players"), depth(ENDS, GAMES))
def test_every_game_has_a_breakdown_that_adds_up(name: str, players: int) -> None:
    """In every profile, with few and with many players: exact sums, and to 0 over the seats."""
    rules = ruleset(name)
    check_breakdown(rules, bots_record(rules, [BOTS[seat % 3] for seat in range(players)], players), players)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "house", "options", "players"),
    [
        ("rummy-500", ["H2", "H4", "H5", "H6"], {"second_pack_from": 2, "hand": 4}, 3),
        ("500-rum", ["H2", "H6"], {"jokers": 1, "joker_kind": "wild", "joker_points": 15}, 4),
        ("500-rummy", ["H5", "H6"], {"stock_out": "pass", "go_out": "meld"}, 5),
        ("michigan-rum", ["H6"], {"match_end": "at_once", "target": 60}, 4),
        ("partnership-500-rum", ["H5"], {"ace": "high", "ace_low": 0}, 4),
    ],
)
def test_house_rules_have_a_breakdown_too(name, house, options, players) -> None:
    rules = ruleset(name, house, **options)
    check_breakdown(rules, bots_record(rules, [BOTS[seat % 3] for seat in range(players)], 2), players)
    check_breakdown(rules, random_record(rules, players, 3), players)


def check_breakdown(rules, record, players: int) -> None:
    (found,) = deal_breakdowns(record, [1], worlds=4, orders=3)
    result = margins(record.final(1).scores(), rules)
    assert whole(found.luck) == result
    accounts = 2 if rules.sides else 1  # a side's margin counts for both partners
    for seat, breakdown in enumerate(found.seats):
        assert breakdown.margin == result[seat]
        assert (
            breakdown.cards + breakdown.own_play + breakdown.other_play + breakdown.unexplained
            == breakdown.margin
        )
        shown = {key: round(100 * value) for key, value in breakdown.as_dict().items() if key != "seat"}
        parts = ("cards", "own_play", "other_play", "unexplained")
        assert shown["margin"] == sum(shown[part] for part in parts)
        assert shown["cards"] == shown["dealt"] + shown["own_draws"] + shown["other_draws"]
    for part in ("margin", "cards", "unexplained"):
        assert sum(getattr(breakdown, part) for breakdown in found.seats) == 0
    assert accounts * sum(a.own_play + a.other_play for a in found.seats) == 0
    assert json.dumps(found.as_dict())


def test_a_match_is_the_sum_of_its_deals() -> None:
    rules = ruleset("500-rum")
    record = bots_record(rules, ["greedy", "club"], 8, deals=3)
    match = match_breakdown(record, worlds=8, orders=8)
    for seat in (0, 1):
        for part in ("margin", "dealt", "own_draws", "other_draws", "own_play", "other_play", "unexplained"):
            assert getattr(match.seats[seat], part) == sum(getattr(d.seats[seat], part) for d in match.deals)
    assert json.loads(json.dumps(match.as_dict()))["factors"]["game"] == "500-rum-2"


def test_a_deal_that_was_not_finished_has_no_breakdown() -> None:
    rules = ruleset("500-rum")
    record = bots_record(rules, ["greedy", "club"], 8, most=21)
    match = match_breakdown(record, worlds=8, orders=8)
    assert not match.deals[0].seats
    assert match.deals[0].luck.draws
    assert match.play[0].whole.decisions > 0
    assert all(breakdown.margin == 0 == breakdown.unexplained for breakdown in match.seats)
    nothing = breakdown_of_match([], rules, 2)
    assert [value.whole.decisions for value in nothing.play] == [0, 0]


def test_the_number_of_threads_changes_nothing() -> None:
    record = bots_record(ruleset("persian-rummy"), ["greedy", "casual", "club", "greedy"], 6)
    one, three = (repr(list(deal_breakdowns(record, worlds=8, orders=8, threads=n))) for n in (1, 3))
    assert one.encode() == three.encode()


def test_draws_are_named() -> None:
    record = bots_record(ruleset("500-rum"), ["club", "casual"], 2)
    luck = luck_of_deal(PlayedDeal.of(record, 1), orders=32)
    best, worst = luck.luckiest(0), luck.unluckiest(0)
    assert best is not None
    assert worst is not None
    own = [draw.gains[0] for draw in luck.draws if draw.seat == 0]
    assert (best.gains[0], worst.gains[0]) == (max(own), min(own))
    for draw in luck.draws:
        steps = list(record.replay(1))[: draw.number]
        begun = {id(step.state): step for step in steps if step.state.phase == 0}
        assert sum(step.state.actor == draw.seat for step in begun.values()) == draw.turn
        assert steps[-1].events[-1].private[draw.seat]["card"] == draw.card


def test_the_mean_of_a_place_is_that_of_deals() -> None:
    """The mean margins agree with other deals of `club`, go round with the dealer, and add up to 0."""
    rules = ruleset("500-rum")
    places = mean_margins(rules, CLUB * 3, (0, 0, 0), 0)
    assert sum(places) == 0
    assert mean_margins(rules, CLUB * 3, (0, 0, 0), 1) == (places[2], places[0], places[1])
    count, core, sums = depth(6_000, 60_000), new_core(rules, 3), [0, 0, 0]
    numbers = club_deals(core, [policy(rules, 3)] * 3, 11, 0, count)
    for number in range(count):
        for place in range(3):
            sums[place] += numbers[6 * number + 3 + (place + number) % 3]
    for place, margin in enumerate(margins(sums, rules)):
        assert float(margin / count) == pytest.approx(float(places[place]), abs=4)


def test_totals_count_where_a_match_ends_at_once() -> None:
    rules = ruleset("michigan-rum", match_end="at_once")
    near = mean_margins(rules, CLUB * 2, (480, 0), 0)
    assert near == tuple(reversed(mean_margins(rules, CLUB * 2, (0, 480), 1)))
    assert near != mean_margins(rules, CLUB * 2, (0, 0), 0)
    plain = ruleset("500-rum")
    assert mean_margins(plain, CLUB * 2, (480, 0), 0) == mean_margins(plain, CLUB * 2, (0, 0), 0)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_game_finds_its_factors(name: str, players: int) -> None:
    """Its own if it was measured, else those of the game most like it; the same with house rules."""
    found = luck_factors(ruleset(name), players)
    assert 0 <= found.deal <= 1.2
    assert 0 <= found.draws <= 1.2
    assert luck_factors(ruleset(name, ["H5"]), players).source == found.source
    profile, _, count = found.source.rpartition("-")
    if found.levels:
        assert class_of(ruleset(profile), int(count)) == class_of(ruleset(name), players)
        assert found.levels["club"] == (0.0, 0.0)


def test_a_game_that_was_not_measured_has_the_nearest_one() -> None:
    assert luck_factors(ruleset("rummy-500"), 2).source == "rummy-500-2"
    assert luck_factors(ruleset("500-rum"), 7).source == "500-rum-6"  # of the same class, the nearest table


def test_the_file_is_what_the_tool_writes() -> None:
    assert differences(FILE.read_text()) == []


def test_least_squares_finds_the_factors() -> None:
    chance = random.Random(4)
    rows = [(x, y) for x, y in ((chance.gauss(0, 3), chance.gauss(0, 5)) for _ in range(300))]
    assert least_squares([(0.7 * x + 0.4 * y, x, y) for x, y in rows]) == (0.7, 0.4)
