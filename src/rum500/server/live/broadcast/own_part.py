"""The private state of one player: the hand and the legal plays, taken from the player's view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rum500.rules.action_codes import discard_code, encode
from rum500.rules.actions import Action, Call, Draw, EndDeal, LetGo, Pass, Take
from rum500.server.live.log.table_state import TableState
from rum500.server.live.turn.viewer import SPECTATOR
from rum500.server.messages import BotTurn, You
from rum500.server.messages.field_types import PlayName
from rum500.server.messages.render import TEXT, text_tuple

_MOST_TAKEN = 108
_PLAIN: dict[PlayName, Action] = {"draw": Draw(), "pass": Pass(), "end": EndDeal(), "let_go": LetGo()}
_PLAYS, _TAKES, _CALLS, _DISCARDS = range(4)


def _named() -> dict[int, tuple[PlayName, int, str, str]]:
    """Return a dict from the code of each action that lays no cards to (name, index, key, code as text).

    `You` has the action under `key` in one of four dicts, which `index` selects (`_PLAYS` and so on).
    """
    found: dict[int, tuple[PlayName, int, str, str]] = {}

    def note(code: int, name: PlayName, which: int, key: str) -> None:
        found[code] = (name, which, key, str(code))

    for name, action in _PLAIN.items():
        note(encode(action), name, _PLAYS, name)
    for count in range(1, _MOST_TAKEN + 1):
        note(encode(Take(count)), "take", _TAKES, str(count))
        note(encode(Call(count)), "call", _CALLS, str(count))
    for card, text in enumerate(TEXT):
        note(discard_code(card), "discard", _DISCARDS, text)
    return found


_NAMED = _named()


def you_of(state: TableState, player: int | None, undo: int = 0) -> You:
    """Return a player's private state; `undo` is the number of plays that the player may take back."""
    seat = state.seat_of(player)
    if player is None or seat is None:
        return SPECTATOR
    match, bot_turns = state.match, state.absences.turns_for(player)
    if match is None or match.state is None or not state.deal_shown:
        return You(seat, bot_turns=bot_turns)
    claim = state.claimant(player)
    own = (claim.state if claim else match.state).own(seat)
    decides = own.legal and (claim is not None or not state.claims)
    open_ = own.legal if decides and state.status == "playing" and state.clock.timed_out != player else ()
    if open_ and claim is not None and state.rules.blind_claims:
        open_ = (*(encode(Call(count)) for count in range(1, len(claim.state.pile) + 1)), encode(LetGo()))
    return you_at(seat, own.hand, own.drawn, open_, undo, state.hints_in_deal(player), bot_turns)


def you_at(
    seat: int,
    hand: Sequence[int],
    drawn: int | None,
    legal: Iterable[int],
    undo: int = 0,
    hints: int = 0,
    bot_turns: tuple[BotTurn, ...] = (),
) -> You:
    """Return the private state of the player at `seat`, whose view has this hand and card drawn."""
    shown = None if drawn is None else TEXT[drawn]
    return You(seat, text_tuple(hand), shown, *_open(legal), undo, hints, bot_turns)


_Codes = dict[str, str]


def _open(legal: Iterable[int]) -> tuple[tuple[PlayName, ...], _Codes, _Codes, _Codes, _Codes]:
    """Return the fields `may`, `plays`, `takes`, `calls` and `discards` of `You` for these legal codes."""
    may: dict[PlayName, None] = {}
    dicts: tuple[_Codes, _Codes, _Codes, _Codes] = ({}, {}, {}, {})
    for code in legal:
        named = _NAMED.get(code)
        if named is None:
            may["lay"] = None
        else:
            name, which, key, text = named
            may[name] = None
            dicts[which][key] = text
    return tuple(may), *dicts
