"""Recording of moves during play: the values of each move, and counts of turns and takes."""

from __future__ import annotations

from array import array

from rum500.rules.action_codes import action_kind, taken_count
from rum500.rules.actions import ActionKind
from rum500.rules.ruleset import Ruleset
from rum500.state import State
from rum500.view import REASONS, Phase

MOVE_WIDTH = 7
"""The number of values of a move: seat, turn, phase, legal actions, action id, variant, code."""

_BEGINS_TURN = frozenset((ActionKind.DRAW, ActionKind.PASS, ActionKind.END, ActionKind.TAKE, ActionKind.CALL))
_TAKES = frozenset((ActionKind.TAKE, ActionKind.CALL))


def begins_turn(code: int) -> bool:
    """Return whether an action begins a turn: a draw, a take, a call, a pass, or the end of the deal."""
    return action_kind(code) in _BEGINS_TURN


class MoveRecorder:
    """Stores the moves of deals in `numbers`, `MOVE_WIDTH` values each."""

    def __init__(self, rules: Ruleset, players: int) -> None:
        """Prepare the action ids of this game."""
        from rum500.spaces import Actions  # noqa: PLC0415 - of the laboratory, which few simulations need

        self.actions = Actions(rules, players)
        self.numbers = array("Q")
        self.turn = 0

    def __call__(self, state: State, code: int) -> None:
        """Store a move, before it is applied."""
        core = state.core
        if len(state.past) == 1:
            self.turn = 0
        self.turn += begins_turn(code)
        number, variant = self.actions.pair(state, code)
        self.numbers.extend(
            (core.actor, self.turn, core.phase, len(state.legal_ints()), number, variant, code)
        )


def are_endings(rows: array[int], width: int, at: int, players: int) -> bool:
    """Return whether all deals in these rows have possible ends.

    A row has `width` values. Three are checked, from index `at` on: actions, reason, seat that went out.
    """
    lengths, reasons, outs = (rows[at + k :: width] for k in range(3))
    return min(lengths) > 0 and set(reasons) <= REASONS.keys() and set(outs) <= set(range(-1, players))


def are_moves(numbers: array[int], rules: Ruleset, players: int) -> bool:
    """Return whether a `MoveRecorder` of this game could have stored these numbers."""
    from rum500.spaces import Actions  # noqa: PLC0415 - of the laboratory, which few simulations need

    actions = Actions(rules, players)
    ends = (players, 1 << 31, len(Phase), 1 << 31, actions.n, actions.variants)
    return all(max(numbers[at::MOVE_WIDTH]) < end for at, end in enumerate(ends))


class CourseCounter:
    """Counts a deal's turns, its takes and calls, and the cards that they took."""

    def __init__(self) -> None:
        self.turns = self.takes = self.taken = 0

    def see(self, code: int) -> None:
        """Count an action."""
        kind = action_kind(code)
        self.turns += kind in _BEGINS_TURN
        if kind in _TAKES:
            self.takes += 1
            self.taken += taken_count(code)

    def finish(self) -> tuple[int, int, int]:
        """Return the deal's counts of turns, of takes and calls, and of cards taken; reset them all."""
        counts = self.turns, self.takes, self.taken
        self.turns = self.takes = self.taken = 0
        return counts
