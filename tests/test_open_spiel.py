"""The game of OpenSpiel, in the environment of `make peers`: OpenSpiel's simulation, deals beside ours."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYTHON = ROOT / "build" / "peers" / "bin" / "python"
SCRIPT = """
import random, sys
import pyspiel
import rum500.adapters.open_spiel

game = pyspiel.load_game(sys.argv[1])
pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
chance = random.Random(1)
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        cards, odds = zip(*state.chance_outcomes())
        assert abs(sum(odds) - 1) < 1e-9
        state.apply_action(chance.choices(cards, odds)[0])
        continue
    seat, deal = state.current_player(), state.deal
    actions = state.spaces.actions
    decoded = [actions.decode(deal, i % actions.n, i // actions.n) for i in state.legal_actions()]
    assert sorted(decoded) == sorted(deal.legal_ints())
    twin = deal.resample(seat, rum500.Rng(chance.getrandbits(60)))
    assert twin.information_state(seat).text == state.information_state_string(seat)
    expected = state.spaces.features.write(deal, seat).tolist()
    assert state.observation_tensor(seat) == expected
    # What Python asks for does not go through C++, where it would be the same.
    assert pyspiel.State.observation_tensor(state, seat) == expected
    assert pyspiel.State.is_chance_node(state) == state.is_chance_node() == False
    state.apply_action(chance.choice(state.legal_actions()))
assert state.returns() == list(state.deal.returns("margin"))
assert abs(sum(state.returns())) < 1e-6
print("done")
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    "game",
    [
        "python_rum500",
        "python_rum500(profile=rummy-500,players=3)",
        "python_rum500(profile=persian-rummy,players=4)",
    ],
)
def test_open_spiel_plays_the_game(game: str) -> None:
    assert PYTHON.exists(), "`make peers` creates the environment"
    ran = subprocess.run(
        [PYTHON, "-c", SCRIPT, game],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1:]) == (0, ["done"]), ran.stderr
