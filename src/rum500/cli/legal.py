"""`rum500 legal`: the legal plays in a position, and why another play is refused."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from rum500.cards import card_text
from rum500.cli._inputs import PositionFile, read_position
from rum500.cli.user_error import UserError
from rum500.rules.actions import Action
from rum500.rules.explain import Refusal
from rum500.rules.notation import NotationError, parse_play, play_text, split_plays
from rum500.state import Position, State


def command(
    file: PositionFile,
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json", help="The same as JSON.")] = False,
    why: Annotated[
        str | None,
        Parameter(help='Say whether this play is legal, such as "discard KD"; or plays, separated by ";".'),
    ] = None,
) -> None:
    """List what may be played in a position, or say why something may not.

    With --why the exit code is 0 for a legal play, 1 for one that is refused.
    """
    position = read_position(file)
    if why is not None:
        _answer(position, why, as_json=as_json)
    elif as_json:
        print(json.dumps(_summary(position), indent=2))
    else:
        _print(position)


def plays_of(position: Position) -> list[str]:
    """Return each legal play as text; empty if the seat of the file has nothing to decide."""
    return [play_text(action, position.state) for action in position.view.legal_actions()]


def _hidden(position: Position) -> bool:
    """Return whether the seat that has to decide is another one than the seat of the view."""
    return not position.complete and not position.state.is_over and position.seat != position.state.actor


def _summary(position: Position) -> dict[str, object]:
    state = position.state
    return {
        "profile": state.rules.name,
        "house_rules": list(state.rules.house_rules),
        "players": state.players,
        "complete": position.complete,
        "seat": position.seat,
        "turn": state.turn,
        "actor": state.actor,
        "phase": state.phase.name.lower(),
        "must_use": None if state.must_use is None else card_text(state.must_use),
        "plays": plays_of(position),
    }


def _print(position: Position) -> None:
    if position.state.is_over:
        print("The deal is over.")
    elif _hidden(position):
        print(f"Seat {position.state.actor} is to decide; this file has the view of {_observer(position)}.")
    for text in plays_of(position):
        print(text)


def _observer(position: Position) -> str:
    return "a spectator" if position.seat is None else f"seat {position.seat}"


def _answer(position: Position, text: str, *, as_json: bool) -> None:
    if _hidden(position):
        actor = position.state.actor
        raise UserError(
            f"--why: seat {actor} is to decide, and the file has the view of {_observer(position)}"
        )
    plays = list(split_plays(text)) or [("", 1)]
    if len(plays) > 1 and not position.complete:
        raise UserError("--why: a turn of several plays needs a position with all cards; ask play by play")
    state, number = position.state.copy(), 0
    while True:
        play, column = plays[number]
        try:
            action = parse_play(play, state, column=column)
        except NotationError as error:
            raise UserError(f"--why: column {error.column}: {error.message}") from None
        refusal, number = state.why_not(action), number + 1
        if refusal is not None or number == len(plays):
            break
        state.apply(action)
    if as_json:
        print(json.dumps(_as_json(state, action, refusal), indent=2))
    elif refusal is None:
        print("legal")
    else:
        where = f"play {number}, {action}: " if len(plays) > 1 else ""
        print(f"{where}{refusal.rule}: {refusal.message}")
    if refusal is not None:
        raise SystemExit(1)


def _as_json(state: State, action: Action, refusal: Refusal | None) -> dict[str, object]:
    answer: dict[str, object] = {"play": play_text(action, state), "legal": refusal is None}
    if refusal is not None:
        card = None if refusal.card is None else card_text(refusal.card)
        answer |= {"code": refusal.code, "rule": refusal.rule, "reason": refusal.message, "card": card}
    return answer
