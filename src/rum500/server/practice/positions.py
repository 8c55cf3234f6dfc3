"""Positions in the form of the protocol, made from the view of the deciding seat; answers about positions.

Everything here follows from a view, which contains no card that its seat may not see.
"""

from __future__ import annotations

from collections.abc import Sequence

from rum500.rules.action_codes import code_of
from rum500.rules.notation import parse_play
from rum500.server import messages
from rum500.server.live.broadcast.own_part import you_at
from rum500.server.live.broadcast.snapshot_builder import deal_fields
from rum500.server.live.log.seats import BOT_NAMES
from rum500.server.live.log.table_options import table_info
from rum500.server.messages.options import TableOptions
from rum500.server.messages.positions import PositionQuestion, SeatPosition
from rum500.server.messages.render import MeldPlateCache
from rum500.server.practice.past_events import PastEvents
from rum500.server.thinking.advice_work import Advice, advice_on
from rum500.state import IllegalPlay, State, position_from_text, view_to_text
from rum500.view import Phase, View

_ASKED = 1
"""The number of a position's decision."""


def seat_position(view: View, names: Sequence[str] = ()) -> SeatPosition:
    """Return the position of a view; `names` are the players' names by seat, by default names for bots."""
    assert view.seat is not None
    assert view.seat == view.actor, "a position is shown to the seat that decides"
    past = PastEvents(view)
    return SeatPosition(
        options=table_info(TableOptions(profile=view.rules.name), view.rules, view.players),
        shared=_shared(view, past, names or _names(view)),
        you=you_at(view.seat, view.hand, view.drawn, view.legal),
        events=past.events,
    )


def _names(view: View) -> list[str]:
    """Return a name for each seat; the viewer's own is empty."""
    return ["" if seat == view.seat else BOT_NAMES[seat] for seat in range(view.players)]


def _shared(view: View, past: PastEvents, names: Sequence[str]) -> messages.Snapshot:
    melds = MeldPlateCache().plates(view.rules, view.melds, past.doubled)
    return messages.Snapshot(
        "playing",
        _ASKED,
        "claim" if view.phase is Phase.CLAIM else "play",
        view.actor,
        tuple(messages.SeatPlate("bot", name) for name in names),
        None,  # host
        0,  # watching
        {},  # votes
        None,  # clock
        (),  # banks
        None,  # claim
        None,  # fairness
        (),  # opened
        None,  # rematch
        (0,) * view.players,  # hints
        None,  # speed
        view.number,
        view.dealer,
        None,  # scorer
        (),  # drawn
        (),  # positions
        view.totals,
        view.totals[: view.rules.sides] or view.totals,
        (),  # scores
        None,  # sheet
        None,  # result
        *deal_fields(view, melds),
    )


def deal_of(view: View) -> State:
    """Return a deal in the position of a view, with hidden cards in canonical order."""
    return position_from_text(view_to_text(view)).state


def position_advice(view: View, question: PositionQuestion) -> Advice:
    """Return the work that answers a question about the deciding seat; it may run in another process.

    Raises `TableError` if the question names cards that do not exist or are not in the seat's hand.
    """
    assert view.seat is not None
    asked = messages.Ask(id="-", about=question.about, cards=question.cards, count=question.count)
    return advice_on(asked, deal_of(view), view.seat, _ASKED, decides=True)


def advice_shown(answer: messages.Answer) -> messages.PositionAdvice:
    """Return the answer of `position_advice` in the form for positions."""
    fields = messages.PositionAdvice.__struct_fields__
    return messages.PositionAdvice(**{name: getattr(answer, name) for name in fields})


def play_chosen(view: View, play: str) -> int:
    """Return the code of the legal action that a guest chose, given by its code or in notation.

    Raises `NotationError` for a play that cannot be read, and `IllegalPlay` for one that is not legal.
    """
    deal = deal_of(view)
    code = int(play) if play.isascii() and play.isdigit() else code_of(parse_play(play, deal))
    refusal = deal.why_not(code)
    if refusal is not None:
        raise IllegalPlay(refusal)
    return code
