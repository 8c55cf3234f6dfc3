"""An ended match as its deeds are looked for: each deal with its plays, their events, and its points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rum500.match import DealScore
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.rules.ruleset import Ruleset
from rum500.server.live.log.deals import DealHistory
from rum500.server.live.log.seats import guest_of
from rum500.server.live.log.table_state import TableState
from rum500.state import State
from rum500.store import DealPoints
from rum500.view import Event

_TURN_ENDS = (ActionKind.DISCARD, ActionKind.END, ActionKind.PASS)


class Proof(NamedTuple):
    """The play that proves a deed."""

    deal: int
    """The number of the deal in the match."""
    play: int
    """The index of the play in the deal."""


class Happening(NamedTuple):
    """A play of a deal."""

    play: int
    """The index of the play in the deal."""
    seat: int
    kind: ActionKind
    turn: int
    """The index of the play with which this turn of the seat began."""
    held: int
    """The number of cards in the seat's hand when this turn began."""
    events: tuple[Event, ...]


@dataclass
class PlayedDeal:
    """A finished deal of a match."""

    number: int
    """The number of the deal in the match."""
    seating: Sequence[int]
    """The player at each seat."""
    first: State
    """The deal before the first play."""
    plays: Sequence[int]
    """The codes of the plays."""
    points: Sequence[int]
    """The points of the deal, by account."""
    totals: Sequence[int]
    """The totals before the deal, by account."""
    stocks: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """New stocks, by the index of the draw that made them."""
    stand_ins: frozenset[int] = frozenset()
    """The indices of plays that a bot made for a person."""

    @cached_property
    def happenings(self) -> tuple[Happening, ...]:
        """All plays with their events, in order."""
        found: list[Happening] = []
        state, ended = self.first.copy(), True
        for play, code in enumerate(self.plays):
            seat, kind, held = state.actor, action_kind(code), len(state.hands[state.actor])
            if not ended and found[-1].seat == seat:
                turn, held = found[-1].turn, found[-1].held
            else:
                turn = play
            ended = kind in _TURN_ENDS
            found.append(Happening(play, seat, kind, turn, held, self._apply(state, play)))
        return tuple(found)

    def _apply(self, state: State, play: int) -> tuple[Event, ...]:
        if play in self.stocks:
            state.restock_order(self.stocks[play])
        return state.apply(self.plays[play])

    def before(self, play: int) -> State:
        """Return the deal before a play."""
        state = self.first.copy()
        for earlier in range(play):
            self._apply(state, earlier)
        return state

    def account(self, seat: int) -> int:
        """Return the account of a seat: its side if there are sides, else the seat."""
        return self.first.rules.side(seat)

    def of(self, seat: int, *kinds: str) -> Iterator[tuple[int, Event]]:
        """Yield (index of the play, event) of a seat's events of these kinds, without plays of stand-ins."""
        for one in self.happenings:
            if one.seat == seat and one.play not in self.stand_ins:
                yield from ((one.play, event) for event in one.events if event.kind in kinds)

    def behind(self, seat: int) -> int:
        """Return by how much a seat's account was behind the best other one before the deal."""
        own = self.account(seat)
        return max(total for account, total in enumerate(self.totals) if account != own) - self.totals[own]

    def result(self, seat: int) -> DealPoints:
        """Return the points of a seat's account in this deal, and how much it is ahead of the others."""
        own = self.account(seat)
        others = [points for account, points in enumerate(self.points) if account != own]
        return DealPoints(self.points[own], self.points[own] - sum(others) / len(others))


@dataclass
class PlayedMatch:
    """An ended match."""

    rules: Ruleset
    deals: Sequence[PlayedDeal]
    """The finished deals, in order."""
    winners: Sequence[int]
    """The players who won."""

    def seats(self, player: int) -> Iterator[tuple[PlayedDeal, int]]:
        """Yield (deal, seat) of each deal that a player finished."""
        for deal in self.deals:
            if player in deal.seating:
                yield deal, deal.seating.index(player)


def played_match(state: TableState) -> PlayedMatch:
    """Return the match of a table; `state` must have all its deals."""
    match = state.match
    assert match is not None
    scores = {score.number: score for score in match.sheet}
    deals = [_deal(state.rules, deal, scores[deal.number]) for deal in state.deals if deal.over]
    return PlayedMatch(state.rules, deals, () if match.result is None else match.result.winners)


def _deal(rules: Ruleset, deal: DealHistory, score: DealScore) -> PlayedDeal:
    accounts = rules.sides or deal.players
    return PlayedDeal(
        deal.number,
        deal.seating,
        State.new(rules, deal.players, deal.deck, deal.dealer, deal.totals, number=deal.number),
        tuple(deal.plays),
        score.points,
        deal.totals[:accounts],
        deal.stocks,
        frozenset(deal.stand_ins),
    )


def guests_of(state: TableState) -> dict[str, int]:
    """Return the player as whom each guest has a result, as `results_of` does."""
    found: dict[str, int] = {}
    for player, seat in enumerate(state.seats):
        if (guest := guest_of(seat)) is not None:
            found.setdefault(guest, player)
    return found
