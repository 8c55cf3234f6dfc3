"""The arena's statistics compared with simulation: the intervals' coverage, and the tests' error rates."""

from __future__ import annotations

from collections import Counter
from math import inf, isclose, log
from random import Random
from statistics import mean, pstdev, stdev

import pytest

from rum500.intervals import student
from rum500.sim.arena import Sprt, SprtBounds, bounds, elo, expected
from rum500.sim.arena.sprt import FEWEST, likelihood_ratio
from rum500.sim.estimates import elo_estimate, mean_of, per_item, share

STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
"""The 97.5 % quantiles as the tables have them."""


@pytest.mark.parametrize(("freedom", "quantile"), STUDENT.items())
def test_students_quantiles_are_those_of_the_tables(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, rel=0.005)


def test_nothing_is_known_from_one_cluster():
    assert student(0) == inf
    alone = per_item([30.0], [2])
    assert (alone.value, alone.low, alone.high) == (15.0, -inf, inf)
    alone = share([2.0], [2])
    assert (alone.value, alone.low, alone.high) == (1.0, 0.0, 1.0)


def test_a_mean_of_equal_clusters_is_the_textbooks():
    totals = [4.0, 10.0, -6.0, 8.0, 9.0, 1.0]
    found = per_item(totals, [2] * 6)
    halves = [total / 2 for total in totals]
    assert found.value == pytest.approx(mean(halves))
    assert found.error == pytest.approx(stdev(halves) / 6**0.5)
    assert found.high - found.value == pytest.approx(2.571 * found.error, rel=0.005)


def test_a_mean_from_its_deviation_is_that_of_clusters_of_one():
    values = [4.0, 10.0, -6.0, 8.0, 9.0, 1.0]
    found, wanted = mean_of(mean(values), pstdev(values), 6), per_item(values, [1] * 6)
    assert (found.error, *found.ends()) == pytest.approx((wanted.error, *wanted.ends()))
    assert mean_of(3.0, 0.0, 1).ends() == [None, None]


def covered(intervals: list[tuple[float, float]], truth: float) -> float:
    return sum(low <= truth <= high for low, high in intervals) / len(intervals)


def test_intervals_of_points_cover_the_truth_as_often_as_they_say():
    """Deals of a cluster go together, and clusters hold unlike numbers of them."""
    chance = Random(1)
    intervals = []
    for _ in range(1500):
        totals, counts = [], []
        for _ in range(25):
            common, count = chance.gauss(5, 20), chance.randrange(2, 12)
            totals.append(sum(common + chance.gauss(0, 30) for _ in range(count)))
            counts.append(count)
        found = per_item(totals, counts)
        intervals.append((found.low, found.high))
    assert 0.93 <= covered(intervals, 5) <= 0.97


@pytest.mark.parametrize("truth", [0.5, 0.8, 0.98])
@pytest.mark.parametrize("alike", [0.0, 0.4])
def test_intervals_of_shares_cover_the_truth_as_often_as_they_say(truth, alike):
    """Near the end of the scale too, and where the two matches of a pair often end alike."""
    chance = Random(2)
    intervals = []
    for _ in range(1200):
        won = []
        for _ in range(60):
            first = chance.random() < truth
            second = first if chance.random() < alike else chance.random() < truth
            won.append(float(first + second))
        found = share(won, [2] * 60)
        intervals.append((found.low, found.high))
    assert 0.925 <= covered(intervals, truth) <= 0.995


def test_a_clean_sweep_is_not_certainty():
    found = share([2.0] * 50, [2] * 50)
    assert found.value == found.high == 1.0
    assert 0.9 < found.low < 0.95  # Wilson's for 50 of 50
    shown = elo_estimate(found, 100)
    assert shown.value == pytest.approx(elo(1 - 0.5 / 101)) and shown.high == inf
    assert shown.low == pytest.approx(elo(found.low))


@pytest.mark.parametrize("clusters", range(2, 12))
def test_where_none_or_all_were_won_the_interval_ends_there(clusters):
    none, every = (share([won] * clusters, [10] * clusters) for won in (0.0, 10.0))
    assert none.value == none.low == 0 < none.high < 1
    assert every.value == every.high == 1 > every.low > 0
    assert elo_estimate(none, 10 * clusters).low == -inf and elo_estimate(every, 10 * clusters).high == inf


def test_elo_is_the_logistic_scale_and_turns_round():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1 / 11) == pytest.approx(-400)
    assert (elo(1.0), elo(0.0)) == (inf, -inf)
    for difference in (-300.0, 0.0, 20.0, 150.0):
        for fair in (0.5, 0.25, 1 / 6):
            assert elo(expected(difference, fair), fair) == pytest.approx(difference)
    assert expected(0, 1 / 6) == pytest.approx(1 / 6)


# --- the sequential test ---------------------------------------------------------------------------


def pentanomial(chance: Random, better: float) -> float:
    """The score of a pair of matches, in which the luck of the cards decides much."""
    luck = chance.gauss(0, 1)
    return sum(chance.gauss(better, 1) + sign * luck > 0 for sign in (1, -1)) / 2


def runs(bound: SprtBounds, means: tuple[float, float], draw, seed: int, count: int, most: int) -> Counter:
    chance, verdicts = Random(seed), Counter()
    for _ in range(count):
        test = Sprt(bound, *means)
        while test.verdict is None and test.clusters < most:
            test.add(draw(chance))
        verdicts[test.verdict] += 1
    return verdicts


def test_errors_in_points_are_as_rare_as_asked_for():
    bound = SprtBounds("points", 0.0, 10.0)
    null = runs(bound, (0.0, 10.0), lambda chance: chance.gauss(0, 38), 3, 400, 5000)
    real = runs(bound, (0.0, 10.0), lambda chance: chance.gauss(10, 38), 4, 400, 5000)
    assert null[None] == real[None] == 0
    # 5 % are promised; 400 runs show up to 8 % by chance.
    assert null["upper"] / 400 <= 0.08 and real["lower"] / 400 <= 0.08


def test_errors_in_elo_are_as_rare_as_asked_for():
    chance = Random(5)
    sample = [pentanomial(chance, 0.5) for _ in range(60_000)]
    truth = elo(mean(sample))
    means = expected(0.0), expected(truth)
    bound = SprtBounds("elo", 0.0, truth)
    null = runs(bound, means, lambda draws: pentanomial(draws, 0.0), 6, 250, 3000)
    real = runs(bound, means, lambda draws: pentanomial(draws, 0.5), 7, 250, 3000)
    assert null[None] == real[None] == 0
    assert null["upper"] / 250 <= 0.09 and real["lower"] / 250 <= 0.09


def test_the_ratio_is_that_of_the_likeliest_distributions():
    """Of two outcomes alone the mean says all, and the ratio is the binomial one."""
    counts = Counter({0.0: 30, 1.0: 70})
    shown = likelihood_ratio(counts, 0.5, 0.6)
    plain = 70 * log(0.6 / 0.5) + 30 * log(0.4 / 0.5)
    assert isclose(shown, plain, rel_tol=1e-3)
    assert likelihood_ratio(counts, 0.6, 0.5) == pytest.approx(-shown)


def test_bounds_are_walds_and_a_verdict_is_final():
    bound = SprtBounds("points", 0.0, 5.0, alpha=0.05, beta=0.1)
    assert bound.accept_upper == pytest.approx(log(0.9 / 0.05))
    assert bound.accept_lower == pytest.approx(log(0.1 / 0.95))
    test = Sprt(bound, 0.0, 5.0)
    for number in range(FEWEST):
        assert test.verdict is None
        test.add(100.0 + number % 2)
    assert (test.verdict, test.clusters) == ("upper", FEWEST)
    test.add(-1000.0)
    assert test.clusters == FEWEST


def test_a_test_is_in_elo_or_in_points():
    assert bounds("match") == SprtBounds("elo", 0.0, 20.0)
    assert bounds("deal") == SprtBounds("points", 0.0, 4.0)
    assert bounds("match", points=(None, 7)) == SprtBounds("points", 0.0, 7.0)
    with pytest.raises(ValueError, match="not in both"):
        bounds("match", elo=(0, 5), points=(0, 5))
