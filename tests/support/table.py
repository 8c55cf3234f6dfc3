"""Tables set up by hand: exact positions for examples, and plays written as on a score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rum500 import Action, Event, Phase, Ruleset, State, encode, ruleset
from rum500.cards import cards_from_text, cards_text
from rum500.rules.engine.core import Core, Moves
from rum500.rules.notation import parse_play, play_text
from rum500.state.core_setup import new_core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rum500 import Refusal

_JOKER = 62
_SEATS = 8


def table(
    rules: Ruleset | str,
    hands: Sequence[str],
    *,
    pile: str = "",
    stock: str = "2C 2D 2H 2S",
    melds: Sequence[str | tuple[int, str]] = (),
    lays: Sequence[tuple[int, str]] = (),
    turn: int = 0,
    phase: str = "draw",
    totals: Sequence[int] = (),
    **fields: Any,
) -> State:
    """A deal in which `turn` is about to draw, or, with `phase="play"`, has drawn.

    Cards are given as text: hands by seat, the pile oldest first, the stock next card first. A meld is its
    cards, laid by seat 0, or (seat, cards); `lays` are lay-offs made since, as (seat, "7S on 1"). Melds and
    lay-offs count for those who laid them. The cards need not add up to a deck. `fields` go to the core.
    """
    game = ruleset(rules) if isinstance(rules, str) else rules
    core = new_core(game, len(hands), totals)
    state = State(game, core)
    for meld in melds:
        seat, text = (0, meld) if isinstance(meld, str) else meld
        _lay(state, seat, f"meld {text}")
    for seat, text in lays:
        _lay(state, seat, f"lay {text}")
    _deal_hands(core, [cards_from_text(hand) for hand in hands])
    core.set_pile(cards_from_text(pile))
    core.set_stock(cards_from_text(stock))
    _begin(core, turn, phase)
    for name, value in fields.items():
        setattr(core, name, value)
    return state


def _lay(state: State, seat: int, text: str) -> None:
    """Lay these cards for a seat by the engine, although it is not the seat's turn."""
    core = state.core
    at_once, core.at_once = core.at_once, 0
    core.turn = core.actor = seat
    core.phase = Phase.PLAY
    core.ban = core.must = -1
    # All cards, more than can be laid, so that nobody goes out.
    full = (1 << 64) - 1 & 0x1FFF1FFF1FFF1FFF
    core.h1, core.h2, core.hj, core.hn = [full] * 8, [full] * 8, [8] * 8, [112] * 8
    code = encode(parse_play(text, state))
    if code not in core.legal(Moves()):
        raise ValueError(f"{text}: no such play on this table")
    core.apply(code, Moves())
    core.at_once = at_once


def _deal_hands(core: Core, hands: Sequence[Sequence[int]]) -> None:
    once, twice, jokers, counts = [0] * _SEATS, [0] * _SEATS, [0] * _SEATS, [0] * _SEATS
    for seat, hand in enumerate(hands):
        counts[seat], jokers[seat] = len(hand), hand.count(_JOKER)
        for card in hand:
            if card != _JOKER:
                twice[seat] |= once[seat] & 1 << card
                once[seat] |= 1 << card
    core.h1, core.h2, core.hj, core.hn = once, twice, jokers, counts
    core.k1, core.k2, core.kj = [0] * _SEATS, [0] * _SEATS, [0] * _SEATS


def _begin(core: Core, turn: int, phase: str) -> None:
    core.dealer = (turn - 1) % core.n
    core.turn = core.actor = turn
    core.phase = Phase[phase.upper()]
    core.must = core.ban = core.drawn = -1
    core.floater = core.hn[turn] == 0
    core.claiming = core.progress = core.idle = core.passes = core.restocks = 0


# --- playing ---------------------------------------------------------------------------------------


def play(state: State, *texts: str) -> list[Event]:
    """Make these plays, written as on a score sheet; return their events."""
    return [event for text in texts for event in state.apply(parse_play(text, state))]


def texts(state: State, *verbs: str) -> set[str]:
    """Return all legal plays as text, or those that begin with one of these words."""
    found = [play_text(action, state) for action in state.legal_actions()]
    assert len(set(found)) == len(found)
    return {text for text in found if not verbs or text.startswith(verbs)}


def can(state: State, text: str) -> bool:
    """Return whether this play is legal."""
    return state.is_legal(parse_play(text, state))


def refusal(state: State, text: str | Action) -> Refusal:
    """Return the reason why this play is refused; fail if it is legal."""
    found = state.why_not(parse_play(text, state) if isinstance(text, str) else text)
    assert found is not None, f"{text} is legal"
    return found


def hand(state: State, seat: int) -> str:
    """Return a hand as text."""
    return cards_text(state.hands[seat])


def pile(state: State) -> str:
    """The pile as text, oldest card first."""
    return cards_text(state.pile)


def owners(state: State, number: int) -> dict[str, int]:
    """Return who laid each card of a meld, numbered from 1."""
    return {cards_text([placed.card]): placed.seat for placed in state.melds[number - 1].cards}
