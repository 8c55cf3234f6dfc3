"""Play value: it adds up, sees nothing hidden, is 0 for `club`, and follows every rule set."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from rum500 import ruleset
from rum500.ai import known_deal
from rum500.ai.heuristic_levels import policy
from rum500.ai.outcomes import Outcomes
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import Search, SearchWorker
from rum500.intervals import error_of_mean, student
from rum500.record import Record
from rum500.review.luck_factors import about, luck_factors
from rum500.review.play_value import FEWEST, DealPlay, Deviation, play_of_deal, play_value
from rum500.review.played_deal import PlayedDeal, margins
from rum500.review.verdict import DecisionKind
from rum500.rules.action_codes import encode
from tests.support.depth import depth
from tests.support.indistinguishable_deals import permuted
from tests.support.reviewed import bots_record

WORLDS = 16


def test_club_has_play_value_0_without_an_error() -> None:
    rules = ruleset("500-rum")
    record = bots_record(rules, ["club", "greedy"], 5, deals=2)
    deals = [play_of_deal(PlayedDeal.of(record, number), worlds=WORLDS) for number in (1, 2)]
    value = play_value(deals, 0, rules)
    assert not [d for deal in deals for d in deal.deviations if d.seat == 0]
    assert (value.whole.value, value.whole.error) == (0, 0)
    assert value.score is not None
    assert (value.score.a_deal, value.score.low, value.score.high) == (0, 0, 0)
    assert play_value(deals, 1, rules).whole.error > 0


def test_plays_of_stand_ins_have_no_value() -> None:
    rules = ruleset("500-rum")
    record = bots_record(rules, ["greedy", "club"], 5)
    before = PlayedDeal.of(record, 1)
    value = play_of_deal(before, worlds=WORLDS)
    gone = {one.number for one in value.deviations[::2]}
    record.deals[0].note_stand_ins(gone)
    after = PlayedDeal.of(record, 1)
    rest = play_of_deal(after, worlds=WORLDS)
    assert rest.deviations == tuple(one for one in value.deviations if one.number not in gone)
    assert sum(value.decisions[0].values()) - sum(rest.decisions[0].values()) == len(gone) > 0
    assert before.kinds()[0] - after.kinds()[0] == sum(
        choice.leaning for choice in before.choices if choice.number in gone
    )


@pytest.mark.parametrize(
    ("profile", "players"), [("500-rum", 2), ("persian-rummy", 4), ("partnership-500-rum", 4)]
)
def test_values_are_those_of_the_search(profile: str, players: int) -> None:
    """A comparison is the lead of a candidate in a search by the same seed, with its square."""
    rules = ruleset(profile)
    played = PlayedDeal.of(bots_record(rules, ["casual", "greedy"] * (players // 2), 3), 1)
    choice = next(choice for choice in played.choices if choice.differs)
    view = choice.before.view(choice.before.actor)
    outcomes = Outcomes(SeatPolicies([policy(rules, players)] * players))
    points, squares = outcomes.compare(known_deal(view).worlds(), choice.played, choice.club, 7, 40)
    task = Search(known_deal(view).worlds(), view.seat, [choice.club, choice.played])
    worker = SearchWorker(task, policy(rules, players))
    worker.run(7, 0, 40)
    task.add(worker)
    _, _, lead, square = task.statistics(1)
    unit = 1 if rules.sides else players - 1
    assert margins(points, rules)[choice.before.actor] * unit == lead
    assert squares[choice.before.actor] == square
    (found,) = [d for d in play_of_deal(played, worlds=40).deviations if d.number == choice.number]
    assert found.errors[view.seat] > 0


@pytest.mark.whole
@pytest.mark.compiled
def test_the_error_is_that_of_the_worlds() -> None:
    """Over many seeds, a value strays as much as its error says."""
    rules = ruleset("500-rum")
    played = PlayedDeal.of(bots_record(rules, ["greedy", "club"], 3), 1)
    few = [replace(played, number=number) for number in range(1, depth(40, 400))]  # other seeds
    gains = [[float(d.gains[0]) for d in play_of_deal(one, worlds=32).deviations] for one in few]
    errors = [d.errors[0] for d in play_of_deal(played, worlds=256).deviations]
    for which, error in enumerate(errors):
        strays = error_of_mean([gain[which] for gain in gains]) * sqrt(len(gains))
        assert strays == pytest.approx(error * sqrt(256 / 32), rel=depth(0.5, 0.25), abs=1e-9)


def test_values_of_the_kinds_add_up() -> None:
    rules = ruleset("michigan-rum")
    record = bots_record(rules, ["greedy", "casual"], 9, deals=3)
    deals = [play_of_deal(PlayedDeal.of(record, number), worlds=WORLDS) for number in (1, 2, 3)]
    for seat in (0, 1):
        value = play_value(deals, seat, rules)
        assert sum(kind.value for kind in value.kinds.values()) == value.whole.value
        assert sum(kind.decisions for kind in value.kinds.values()) == value.whole.decisions
        assert sum(deal.gain(seat, seat) for deal in deals) == value.whole.value
        assert {DecisionKind.DRAW, DecisionKind.DISCARD} <= value.kinds.keys()
        assert value.score is not None
        assert value.score.a_deal == pytest.approx(float(value.whole.value) / 3)
        assert value.score.about
        assert value.as_dict()["kinds"]["draw"]["decisions"] == value.kinds[DecisionKind.DRAW].decisions


def dealt(values: list[float], decisions: int) -> list[DealPlay]:
    """Deals with one deviation of seat 0 each, of these values."""
    found = []
    for number, value in enumerate(values, 1):
        gain = Fraction(value)
        deviation = Deviation(
            1, 0, DecisionKind.DISCARD, "discard 8C", "discard QD", (gain, -gain), (2.0, 2.0)
        )
        found.append(DealPlay(number, ({DecisionKind.DISCARD: decisions}, {}), (deviation,)))
    return found


def test_there_is_no_score_below_thirty_decisions() -> None:
    rules = ruleset("500-rum")
    assert play_value(dealt([-3.0, 5.0], FEWEST // 2 - 1), 0, rules).score is None
    enough = play_value(dealt([-3.0, 5.0], FEWEST // 2), 0, rules)
    assert enough.whole.decisions == 30
    assert enough.score is not None
    assert enough.score.a_deal == 1
    assert enough.score.high == pytest.approx(1 + student(1) * 4)  # the spread between two deals
    alone = play_value(dealt([-3.0], FEWEST), 0, rules).score
    assert alone is not None
    assert alone.high == pytest.approx(-3 + student(10**9) * 2.0)  # the measurement's


def test_a_score_says_which_levels_play_about_as_well() -> None:
    rules = ruleset("500-rum")
    levels = luck_factors(rules, 2).levels
    assert about(levels, levels["casual"][0], 0.01) == ("casual",)
    assert about(levels, 0.0, 0.5) == ("club",)
    assert about(levels, -10_000.0, 1.0) == (min(levels, key=lambda name: levels[name]),)
    everything = about(levels, 0.0, 10_000.0)
    assert [levels[name][0] for name in everything] == sorted(value for value, _ in levels.values())


def twin(record: Record, seat: int, chance: random.Random) -> Record:
    """The same deal with other cards wherever this seat could not see them, as far as it can be played."""
    deal = record.deals[0]
    start = record.begin(1)
    line = [encode(play.action) for play in deal.plays]
    other = permuted(start, seat, line, chance)
    order = [(deal.dealer + 1 + i) % record.players for i in range(record.players)]
    size = len(other.hands[0])
    deck = [other.hands[who][card] for card in range(size) for who in order]
    found = Record(record.rules, record.players)
    state = found.add([*deck, *other.pile, *other.stock], deal.dealer)
    for play in deal.plays:
        if not state.is_legal(play.action):
            break  # the other hand, as it is now, does not allow it
        if play.restock:
            state.restock_order(play.restock)
        state.apply(play.action)
        found.deals[0].plays.append(play)
    return found


@pytest.mark.parametrize(
    ("profile", "players", "house"),
    [("500-rum", 2, ()), ("500-rum", 3, ("H5",)), ("persian-rummy", 4, ()), ("rummy-500", 4, ("H2", "H6"))],
)
def test_nothing_that_a_seat_cannot_see_changes_the_value_of_its_play(
    profile: str, players: int, house: tuple[str, ...]
) -> None:
    rules, compared = ruleset(profile, house), 0
    for seed in range(depth(2, 12)):
        record = bots_record(rules, ["greedy", "casual", "greedy", "casual"][:players], seed)
        kinds = ["club", "casual"][seed % 2 :][:1] * players
        play = play_of_deal(PlayedDeal.of(record, 1), kinds, worlds=WORLDS)
        for seat in range(players):
            other = twin(record, seat, random.Random(seed))
            assert other.deals[0].deck != record.deals[0].deck
            reached = len(other.deals[0].plays)
            own = [d for d in play.deviations if d.seat == seat and d.number <= reached]
            again = play_of_deal(PlayedDeal.of(other, 1), kinds, worlds=WORLDS)
            assert own == [d for d in again.deviations if d.seat == seat]
            compared += len(own)
    assert compared > 5


def test_a_value_needs_worlds_and_threads() -> None:
    played = PlayedDeal.of(bots_record(ruleset("500-rum"), ["casual", "club"], 1), 1)
    for worlds, error, message in (
        (1, ValueError, "the number of worlds is 2 or more, not 1"),
        (1 << 40, ValueError, "the number of worlds is 65,536 at most"),
        (2.0, TypeError, "the number of worlds is a whole number, not 2.0"),
    ):
        with pytest.raises(error, match=message):
            play_of_deal(played, worlds=worlds)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="thread"):
        play_of_deal(played, worlds=2, threads=0)
    with pytest.raises(IndexError, match="no deal 2"):
        PlayedDeal.of(bots_record(ruleset("500-rum"), ["club", "club"], 1), 2)
