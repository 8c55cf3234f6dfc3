"""The heuristic's weights, and their training by search and in a league."""

from __future__ import annotations

import random
import tomllib

import pytest

from rum500.ai.heuristic_levels import toml_lines, unfolded, weights
from rum500.ai.policy import Policy
from rum500.ai.policy_weights import hand_set, names
from tests.support.depth import whole_tests
from tools.distil import Lesson, fitted, mean_lost, positions, taught
from tools.league import TABLES, League, bettered, champion, mean_and_error, rusher
from tools.train_club import FOLDER, accepted


def searched(seed: int):
    lesson = Lesson(positions=40, worlds=8, share=0.3)
    return list(positions("two-plain", hand_set(), random.Random(seed), lesson))


@pytest.mark.parametrize("name", TABLES)
def test_every_class_has_its_own_weights_in_two_forms(name: str) -> None:
    file = FOLDER / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    assert text.endswith("\n[weights]\n" + "\n".join(toml_lines(weights(name))) + "\n")
    assert tomllib.loads(unfolded(text))["weights"] == dict(zip(names(), weights(name), strict=True))
    assert all(weights(name) != weights(other) for other in TABLES if other != name)


def test_best_candidate_of_a_position_loses_nothing():
    for position in searched(1):
        assert max(position.brings.values()) == 0
        assert Policy([]).choice(position.core) in position.brings


def test_distilled_weights_lose_less():
    found = searched(2)
    better = fitted(found, hand_set(), random.Random(3), 60)
    assert 0 <= mean_lost(found, better) < mean_lost(found, hand_set())


@pytest.mark.whole
@pytest.mark.compiled
def test_training_depends_on_the_seed_alone():
    def trained(seed: int) -> list[int]:
        best = champion("two-plain", seed, rounds=1, trials=10, deals=200)
        return taught("two-plain", best, seed, 2, Lesson(positions=80, worlds=4, trials=40))

    assert trained(1) == trained(1) != trained(2)


@pytest.mark.compiled
def test_improved_weights_beat_their_opponent():
    league = League((("500-rum", 2),), [rusher()], 200)
    start = mean_and_error(league.margins(hand_set(), 1 << 39, 10))[0]
    first, again = (bettered(hand_set(), league, 40, random.Random(3)) for _ in range(2))
    assert first == again != hand_set()
    assert mean_and_error(league.margins(first, 1 << 39, 10))[0] > start


@pytest.mark.compiled
@pytest.mark.whole
def test_weights_improved_among_rivals_lose_nothing_to_them():
    tables, start = (("500-rum", 2),), list(weights("two-plain"))
    strangers, rivals = League(tables, [rusher()], 200), League(tables, [start], 200)
    alone, among = (
        mean_and_error(rivals.margins(bettered(start, strangers, 60, random.Random(5), others), 1 << 39, 10))
        for others in (None, rivals)
    )
    assert alone[0] + 2 * alone[1] < among[0] >= -2 * among[1]


@pytest.mark.compiled
def test_only_better_weights_are_accepted():
    slow = [
        0 if name in ("go", "melded", "lay") else weight
        for name, weight in zip(names(), hand_set(), strict=True)
    ]
    assert accepted("two-plain", hand_set(), slow)
    assert not accepted("two-plain", slow, hand_set())
    if whole_tests():
        assert not accepted("two-plain", hand_set(), hand_set())
