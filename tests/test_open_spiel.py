"""The game of OpenSpiel, in the environment of `make peers`: OpenSpiel's tests, and comparisons with ours."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYTHON = ROOT / "build" / "peers" / "bin" / "python"
GAMES = [
    "python_rum500",
    "python_rum500(profile=rummy-500,players=3)",
    "python_rum500(profile=persian-rummy,players=4)",
    "python_rum500(deals=50,seed=3)",
    "python_rum500(profile=rummy-500,players=3,deals=2)",
]
SIMULATIONS = """
import random, sys
import pyspiel
import rum500.adapters.open_spiel

game = pyspiel.load_game(sys.argv[1])
pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
chance, changed = random.Random(1), 0
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        cards, odds = zip(*state.chance_outcomes())
        assert state.legal_actions() == pyspiel.State.legal_actions(state) == sorted(cards)
        assert abs(sum(odds) - 1) < 1e-9
        state.apply_action(chance.choices(cards, odds)[0])
        continue
    seat, deal = state.current_player(), state.deal
    actions = state.spaces.actions
    legal = state.legal_actions()
    decoded = [actions.decode(deal, i % actions.n, i // actions.n) for i in legal]
    assert sorted(decoded) == sorted(deal.legal_ints())
    expected = state.spaces.features.write(deal, seat).tolist()
    twin = state.resample_from_infostate(seat, chance.random)
    changed += twin.deal != deal
    assert twin.information_state_string(seat) == state.information_state_string(seat)
    assert twin.observation_string(seat) == state.observation_string(seat)
    assert (twin.observation_tensor(seat), twin.legal_actions()) == (expected, legal)
    assert state.observation_tensor(seat) == expected
    # What Python asks for does not go through C++, where it would be the same.
    assert pyspiel.State.observation_tensor(state, seat) == expected
    assert pyspiel.State.legal_actions(state) == legal == state.legal_actions(seat)
    assert pyspiel.State.is_chance_node(state) == state.is_chance_node() == False
    assert state.legal_actions((seat + 1) % state.spaces.players) == []
    state.apply_action(chance.choice(legal))
assert state.legal_actions() == pyspiel.State.legal_actions(state) == []
assert changed > 10
assert state.returns() == list(state.deal.returns("margin"))
assert abs(sum(state.returns())) < 1e-6
"""
WRONG = """
import pyspiel
import rum500.adapters.open_spiel

def refused(state, *actions):
    before, history = str(state), state.history()
    for action in actions:
        try:
            state.apply_action(action)
        except (ValueError, pyspiel.SpielError):
            assert (str(state), state.history()) == (before, history)
        else:
            raise AssertionError(f"{action} was taken")

game = pyspiel.load_game("python_rum500")
state = game.new_initial_state()
state.apply_action(7)
refused(state, 7, 52, 53, -1, -2)  # dealt already, no joker in this deck, no card
while state.is_chance_node():
    state.apply_action(state.chance_outcomes()[0][0])
refused(state, 2, 483, -1, -2)  # end is not legal, no such number
state.apply_action(0)
state.apply_action(state.chance_outcomes()[0][0])
refused(state, 0)  # a second draw
while not state.is_terminal():
    state.apply_action(state.legal_actions()[-1])
refused(state, 0)
sampled = pyspiel.load_game("python_rum500(deals=3)").new_initial_state()
refused(sampled, 3, -1)
for wrong in ("deals=-1", "profile=whist", "players=9"):
    try:
        pyspiel.load_game(f"python_rum500({wrong})")
    except Exception as error:
        assert wrong.partition("=")[2] in str(error), error
    else:
        raise AssertionError(wrong)
"""
SAMPLED = """
import numpy as np, pyspiel, rum500
import rum500.adapters.open_spiel
from open_spiel.python import rl_environment
from rum500.lab import Batch

rules = rum500.ruleset("rummy-500")
batch = Batch(rules, 3, 6, seed=4)
game = pyspiel.load_game("python_rum500(profile=rummy-500,players=3,deals=6,seed=4)")
for number in range(6):
    state = game.new_initial_state()
    state.apply_action(number)
    assert state.deal.core.pack(()) == batch.state(number).core.pack(())
    assert state.legal_actions()[0] == 0
    state.apply_action(0)
    assert not state.is_chance_node() and len(state.deal.stock) == len(batch.state(number).stock) - 1
env = rl_environment.Environment(game)
env.seed(1)
chance = np.random.RandomState(1)
for _ in range(5):
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == env.observation_spec()["info_state"][0]
        step = env.step([int(chance.choice(step.observations["legal_actions"][seat]))])
    assert abs(sum(step.rewards)) < 1e-6
"""
PLAYTHROUGH = """
import sys
import rum500.adapters.open_spiel
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

flags.FLAGS.mark_as_parsed()

with open("playthrough.txt", "w") as file:
    file.write(generate_playthrough.playthrough(sys.argv[1], action_sequence=None, seed=7))
expected, actual = generate_playthrough.replay("playthrough.txt")
assert len(expected) > 10_000 and expected == actual
assert "IsTerminal() = True" in expected
"""


def run(script: str, *words: str, folder: Path | None = None) -> None:
    assert PYTHON.exists(), "`make peers` creates the environment"
    ran = subprocess.run(
        [PYTHON, "-W", "ignore::DeprecationWarning", "-c", script, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_open_spiel_simulates_the_game(game: str) -> None:
    """By its `random_sim_test`, with every state written and read again; then decision by decision."""
    run(SIMULATIONS, game)


@pytest.mark.whole
@pytest.mark.parametrize("game", [GAMES[0], GAMES[2], GAMES[3]])
def test_a_playthrough_is_played_again_to_the_letter(tmp_path: Path, game: str) -> None:
    """OpenSpiel's own record of a game, with all that it reports of every state."""
    run(PLAYTHROUGH, game, folder=tmp_path)


@pytest.mark.whole
def test_wrong_actions_leave_the_state_as_it_was() -> None:
    run(WRONG)


@pytest.mark.whole
def test_sampled_deals_are_those_of_the_batch_and_learners_play_them() -> None:
    run(SAMPLED)
