"""The result of an answer to a puzzle in the form of the protocol, from the data of the puzzle."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from math import hypot
from typing import Any

from rum500.intervals import Z
from rum500.puzzles.puzzle import Move, Puzzle, WrongPlay
from rum500.rules.action_codes import decode
from rum500.rules.actions import LayOff, Meld
from rum500.rules.notation import play_text
from rum500.server.messages.parts import PositionAdvice
from rum500.server.messages.positions import PositionQuestion
from rum500.server.messages.puzzles import OfflineMove, OfflinePlay, OfflinePuzzle, PuzzleLevel
from rum500.server.messages.render import TEXT
from rum500.server.messages.review import ReviewCandidate, ReviewPlay
from rum500.server.messages.verdicts import loss_why, plan_shown, play_shown
from rum500.server.practice.positions import advice_shown, deal_of, position_advice, seat_position
from rum500.state import State


def judged(puzzle: Puzzle, at: int, code: int) -> dict[str, Any]:
    """Return the fields of a `PuzzleResult` that depend only on the puzzle and the play of move `at`."""
    move = puzzle.moves[at]
    wrong = move.wrong_play(code)
    explained = wrong or move.wrong[0]
    deal = deal_of(move.view)
    shown = partial(_shown, move, deal)
    return {
        "right": wrong is None,
        "quiet": puzzle.quiet,
        "move": at + 1,
        "moves": len(puzzle.moves),
        "played": shown(code),
        "best": shown(move.right[0]),
        "loss": round(wrong.loss, 2) if wrong else 0.0,
        "error": round(wrong.error, 3) if wrong else 0.0,
        "candidates": _candidates(move, code, shown),
        "why": loss_why(explained.why),
        "why_of": shown(explained.code),
        "plan": None if explained.plan is None else plan_shown(explained.plan),
        "levels": _levels(move, shown),
    }


def offline_puzzle(puzzle: Puzzle, day: date, *, retired: bool) -> OfflinePuzzle:
    """Return a puzzle with all that `judged` and the advisor answer about it."""
    moves = [_offline_move(move) for move in puzzle.moves]
    return OfflinePuzzle(puzzle.id, day.isoformat(), retired, puzzle.quiet, moves)


def _offline_move(move: Move) -> OfflineMove:
    view = move.view
    shown = partial(_shown, move, deal_of(view))
    laid = [
        [one.card for one in action.cards]
        for code in view.legal
        if isinstance(action := decode(code), Meld | LayOff)
    ]
    chosen = {
        tuple(sorted(TEXT[card] for card in cards)) for cards in (*laid, *([card] for card in view.hand))
    }

    def answer(question: PositionQuestion) -> PositionAdvice:
        return advice_shown(position_advice(view, question).work())

    return OfflineMove(
        position=seat_position(view),
        turn=answer(PositionQuestion("turn")),
        takes={
            str(count): answer(PositionQuestion("take", count=count))
            for count in range(1, len(view.pile) + 1)
        },
        cards={
            " ".join(cards): answer(PositionQuestion("cards", cards=list(cards))) for cards in sorted(chosen)
        },
        plays=[
            *(_offline_play(move, code, shown) for code in move.right),
            *(_offline_play(move, wrong.code, shown, wrong) for wrong in move.wrong),
        ],
        levels=_levels(move, shown),
    )


def _offline_play(
    move: Move, code: int, shown: Callable[[int], ReviewPlay], wrong: WrongPlay | None = None
) -> OfflinePlay:
    return OfflinePlay(
        code=str(code),
        text=play_text(code, move.view),
        play=shown(code),
        right=wrong is None,
        loss=wrong.loss if wrong else 0.0,
        error=wrong.error if wrong else 0.0,
        why=loss_why(wrong.why) if wrong else None,
        plan=plan_shown(wrong.plan) if wrong and wrong.plan else None,
    )


def _levels(move: Move, shown: Callable[[int], ReviewPlay]) -> list[PuzzleLevel]:
    return [PuzzleLevel(level, shown(play), play in move.right) for level, play in move.levels.items()]


def _candidates(move: Move, played: int, shown: Callable[[int], ReviewPlay]) -> list[ReviewCandidate]:
    """Return all plays, best first, each with its gain compared with the played one.

    Plays as good as the best count as equal to it. The puzzle knows the loss of each wrong play against the
    best one, so the difference between two wrong plays is given the combined error of the two losses.
    """
    own = move.wrong_play(played)
    loss, error = (own.loss, own.error) if own else (0.0, 0.0)
    rows = [(code, 0.0, 0.0) for code in move.right]
    rows += [(play.code, play.loss, play.error) for play in move.wrong]
    return [
        ReviewCandidate(
            shown(code),
            round(loss - other, 2),
            0.0 if code == played else round(Z * hypot(error, own_error), 2),
            code in move.right,
        )
        for code, other, own_error in rows
    ]


def _shown(move: Move, deal: State, code: int) -> ReviewPlay:
    return play_shown(deal, code, doubled=bool(deal.core.doubled(code)))
