"""Endings in which nothing is hidden: the exhaustive solver compared with every line, and the bots."""

from __future__ import annotations

from functools import cache

import pytest

from rum500 import State, decode, ruleset
from rum500.bots import endings as bot_endings
from rum500.rng import Rng
from rum500.rules.engine.core import PHASE_OVER, Core, Moves
from rum500.rules.notation import play_text
from tests.support.exhaustive import NotSolved, Solver, Worth, endings, is_open, margin
from tests.support.levels import cheap
from tests.support.table import play, table

GAMES: list[tuple[str, tuple[str, ...], int, range, bool]] = [
    ("500-rum", (), 2, range(60), False),
    ("rummy-500", ("H2",), 2, range(40), False),
    ("500-rum", ("H6",), 2, range(40), False),
    ("partnership-500-rum", (), 4, range(12), True),
    ("persian-rummy-gamerules", (), 4, range(4), True),
]
FEW = 40
"""So many positions at most where every line is followed."""


@cache
def solved(game: int) -> list[tuple[State, dict[int, Worth], int]]:
    """Positions of a game, what each choice is worth to each seat, and how many positions that took."""
    name, house_rules, players, seeds, show = GAMES[game]
    found = []
    for state in endings(ruleset(name, house_rules), players, seeds, most=1500, show=show):
        solver = Solver()
        found.append((state, solver.choices(state.core), len(solver.found)))
    return found


def worths(state: State) -> dict[str, float]:
    """What each legal play is worth to the actor."""
    found = Solver().choices(state.core)
    return {play_text(decode(code), state): worth[state.actor] for code, worth in found.items()}


def brute(core: Core) -> tuple[float, ...]:
    """The same without memory: every line followed."""
    if core.phase == PHASE_OVER:
        return margin(core)
    results = []
    for code in core.legal(Moves()):
        child = Core()
        child.copy_from(core)
        child.apply(code, Moves())
        results.append(brute(child))
    return max(results, key=lambda worth: worth[core.actor])


# --- by hand ---------------------------------------------------------------------------------------


def test_the_last_draw_is_worked_out() -> None:
    """Nobody can lay anything. Seat 0 holds 2 and throws the five or the king it keeps no more: then seat 1
    ends the deal (D5): the margin is what is left in hands.
    """
    state = table("500-rum", ["5H KC", "9C"], stock="", pile="2D", phase="play")
    assert worths(state) == {"discard 5H": 9.0 - 10.0, "discard KC": 9.0 - 5.0}


def test_a_discard_that_goes_out_elsewhere_is_seen() -> None:
    """The eight fits the run: thrown, seat 1 takes it, lays it and is out by its other card."""
    state = table("500-rum", ["8S KC", "9C"], stock="", pile="2D", phase="play", melds=["5S 6S 7S"])
    found = worths(state)
    # Laid by seat 0 and the king thrown it is out: 18 points laid before, 8 now, and nine against the other.
    assert found["lay 8S on 1"] == 18 + 8 + 9
    # Thrown, it is seat 1's: 8 points and out, ten held against seat 0.
    assert found["discard 8S"] == 18 - 10 - 8
    assert max(found, key=found.__getitem__) == "lay 8S on 1"


def test_among_three_each_plays_for_itself() -> None:
    """Seat 1 will take what is best for it, be it seat 2 or seat 0 that pays."""
    state = table("500-rum", ["8S 9C", "KH", "4C 4H"], stock="", pile="2D", phase="play", melds=["5S 6S 7S"])
    found = Solver().choices(state.core)
    best = max(found.values(), key=lambda worth: worth[0])
    assert best == margin_after(state, "lay 8S on 1", "discard 9C")


def margin_after(state: State, *texts: str) -> tuple[float, ...]:
    twin = state.copy()
    play(twin, *texts)
    return margin(twin.core)


# --- against every line ----------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", range(len(GAMES)))
def test_the_solver_agrees_with_every_line(game: int) -> None:
    few = [(state, choices) for state, choices, count in solved(game) if count <= FEW]
    assert few
    for state, choices in few:
        assert is_open(state)
        for code, worth in choices.items():
            child = state.copy()
            child.apply_int(code)
            assert worth == brute(child.core)


def test_chance_is_refused() -> None:
    with pytest.raises(NotSolved, match="chance"):
        Solver().choices(table("500-rum", ["5H KC", "9C"], stock="2C 3C", pile="2D").core)
    with pytest.raises(NotSolved, match="too many"):
        Solver(most=1).choices(table("500-rum", ["5H KC", "9C 3D"], stock="4C", pile="2D").core)


# --- the bots --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_search_has_the_same_values(game: int) -> None:
    """The package's own look-ahead, compiled and with pruning, against the one that prunes nothing."""
    compared = 0
    for state, choices, _ in solved(game):
        found = bot_endings.solved(state.view(state.actor))
        if found is not None:
            assert found == {code: worth[state.actor] for code, worth in choices.items()}
            compared += 1
    assert compared > 0.9 * len(solved(game))


@pytest.mark.parametrize("level", ["strong", "expert"])
@pytest.mark.parametrize("game", range(len(GAMES)))
def test_search_makes_the_best_move(level: str, game: int) -> None:
    """In a match that is young: near its end a search plays for the match."""
    bot = cheap(level)
    for state, choices, _ in solved(game):
        seat = state.actor
        chosen = choices[bot.choose_int(state.view(seat), Rng(1))]
        assert chosen[seat] == max(worth[seat] for worth in choices.values()), state.to_text()


def test_such_endings_are_no_child_s_play() -> None:
    """Chance and greed lose points in them."""
    for name in ("random", "greedy"):
        bot, lost = cheap(name), 0.0
        for state, choices, _ in solved(0):
            seat = state.actor
            chosen = choices[bot.choose_int(state.view(seat), Rng(1))]
            lost += max(worth[seat] for worth in choices.values()) - chosen[seat]
        assert lost / len(solved(0)) > 0.5
