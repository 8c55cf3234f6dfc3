"""Snapshots of a table as every viewer may see it.

Cards and plays come only from spectators' views; seats, clocks and votes are public.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from rum500.match import CutNeeded, callable_counts
from rum500.server.live.log.score_sheets import deal_results, match_end
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.waits import open_request
from rum500.server.messages import ClaimWindow, Clock, Countdown, Fairness, MeldPlate, SeatPlate, Snapshot
from rum500.server.messages.field_types import DealPhase, Speed
from rum500.server.messages.render import TEXT, rows, text_tuple
from rum500.view import Phase, View


class Presence(Struct, frozen=True, gc=False):
    """Facts that the log lacks: connected players, and clocks. A moment is a value of `TableTime.now`."""

    here: frozenset[int] = frozenset()
    """The players who are connected."""
    watching: int = 0
    """The number of spectators."""
    bot_at: tuple[tuple[int, float], ...] = ()
    """Absent players, each with the moment from which a bot plays for them."""
    replace_at: tuple[tuple[int, float], ...] = ()
    """Absent players, each with the moment from which the other players may vote for a bot in the seat."""
    nudge_at: tuple[tuple[int, float], ...] = ()
    """Absent players for whom the table waits, each with the moment from which they may be nudged."""
    gone: frozenset[int] = frozenset()
    """The absent players who have left; the other absent players are away."""
    vacant_at: tuple[tuple[int, float], ...] = ()
    """Absent players, each with the moment from which the host may give the seat to a bot."""
    ask_at: tuple[tuple[int, float], ...] = ()
    """Absent players, each with the moment from which a spectator may ask for the seat."""
    clock_since: float | None = None
    """The moment since which the clock of the player to move runs; None if it is stopped."""
    claim_until: float | None = None
    """The moment until which "Rummy!" may be called; None if nobody may call."""


NOBODY = Presence()
Rows = tuple[tuple[str, ...], ...]
Numbers = tuple[int, ...]


class SnapshotBuilder:
    """Makes a table's snapshots, and caches the fields that plays in the middle of a deal do not change."""

    def __init__(self) -> None:
        self._made_from: tuple[object, ...] = ()
        self._plates: tuple[SeatPlate, ...] = ()
        self._host: int | None = None
        self._fairness: Fairness | None = None
        self._match: tuple[Any, ...] = ()
        self._speed: Speed | None = None

    def snapshot(self, state: TableState, presence: Presence) -> Snapshot:
        """Return the table as every viewer may see it now."""
        of_presence = (presence.bot_at, presence.replace_at, presence.nudge_at, presence.vacant_at)
        made_from = (state, state.revision, presence.here, presence.gone, *of_presence, presence.ask_at)
        if made_from != self._made_from:
            self._made_from = made_from
            self._plates = _plates(state, presence)
            self._host = None if state.host is None else state.seat_of(state.player_of(state.host))
            self._fairness = _fairness(state)
            self._match = _match_fields(state)
            self._speed = state.speed if state.only_person is not None else None
        deal = state.match.state if state.match and state.deal_shown else None
        # Positional arguments take a sixth of the time of keywords.
        return Snapshot(
            state.status,
            state.asked,
            state.waiting_for,
            state.actor,
            self._plates,
            self._host,
            presence.watching,
            _votes(state),
            _clock(state, presence),
            _banks(state),
            _claim(state, presence),
            self._fairness,
            state.shuffles.opened,
            state.rematch,
            tuple(state.hints[player] for player in state.seating),
            self._speed,
            *self._match,
            *(_no_deal(len(state.seating)) if deal is None else self._deal(state, deal.view(None))),
        )

    @staticmethod
    def _deal(state: TableState, deal: View) -> tuple[Any, ...]:
        return deal_fields(deal, state.meld_plates.plates(state.rules, deal.melds, state.doubled))


def snapshot_of(state: TableState, presence: Presence) -> Snapshot:
    """Return the table as every viewer may see it now, without caching."""
    return SnapshotBuilder().snapshot(state, presence)


# --- the table --------------------------------------------------------------------------------------


def _plates(state: TableState, presence: Presence) -> tuple[SeatPlate, ...]:
    bot_in = {player: Countdown(end=at) for player, at in presence.bot_at}
    vacant_in = {player: Countdown(end=at) for player, at in presence.vacant_at}
    ask_in = {player: Countdown(end=at) for player, at in presence.ask_at}
    request = open_request(state)
    replace_in = {player: Countdown(end=at) for player, at in presence.replace_at}
    nudge_in = {player: Countdown(end=at) for player, at in presence.nudge_at}
    return tuple(
        SeatPlate(
            kind=seat.kind,
            name=seat.name,
            level=seat.level,
            here=player in presence.here or seat.kind == "bot",
            bot_in_ms=bot_in.get(player),
            ready=player in state.ready,
            replace_in_ms=replace_in.get(player),
            external=seat.external,
            vacant_in_ms=vacant_in.get(player),
            ask_in_ms=ask_in.get(player),
            asked_for=request.number if request is not None and request.entry.player == player else 0,
            gone=player in presence.gone,
            nudge_in_ms=nudge_in.get(player),
            waited_for=player in state.absences.waited_for,
        )
        for player in state.seating
        for seat in (state.seats[player],)
    )


def _votes(state: TableState) -> dict[str, Numbers]:
    votes = state.votes
    if not votes:
        return {}
    return {on: tuple(sorted(map(state.seating.index, votes[on]))) for on in votes if votes[on]}


def _clock(state: TableState, presence: Presence) -> Clock | None:
    player, seat, since = state.acting_player, state.actor, presence.clock_since
    if state.options.turn_s is None or player is None or seat is None or state.waiting_for != "play":
        return None
    turn_ms, bank_ms = state.clock.turn_ms, state.clock.bank_ms[player]
    turn_end = None if since is None else since + turn_ms / 1000
    bank_end = None if turn_end is None else turn_end + bank_ms / 1000
    return Clock(seat, Countdown(turn_ms, turn_end), Countdown(bank_ms, bank_end), since is not None)


def _banks(state: TableState) -> Numbers:
    if state.options.turn_s is None or not state.clock.bank_ms:
        return ()
    return tuple(state.clock.bank_ms[player] for player in state.seating)


def _claim(state: TableState, presence: Presence) -> ClaimWindow | None:
    if not state.claims:
        return None
    seats = tuple(map(state.seating.index, state.claims.undecided(state.seating)))
    total = state.options.window * 1000
    left = Countdown(total, presence.claim_until)
    deal = next(iter(state.claims)).state
    # With blind claims, every card of the pile may be claimed.
    counts = tuple(range(1, len(deal.pile) + 1)) if state.rules.blind_claims else callable_counts(deal)
    return ClaimWindow(seats, left, total, counts)


def _fairness(state: TableState) -> Fairness | None:
    shuffle = state.shuffles.last
    if shuffle is None:
        return None
    seating = state.seating
    given = tuple(sorted(seating.index(player) for player in state.shuffles.seeds if player in seating))
    seed = shuffle.seed if state.deal_shown and state.deal is not None and state.deal.over else None
    return Fairness(shuffle.number, shuffle.commitment, given, seed, shuffle.context)


# --- match and deal ---------------------------------------------------------------------------------


def _match_fields(state: TableState) -> tuple[Any, ...]:
    """Return the values of the fields of `Snapshot` from `deal` to `result`, in the order of declaration."""
    if state.match is None:
        return 0, None, None, (), (), (), (), (), state.sheet, None
    view, asked = state.match.view(None), state.match.decision
    names = [seat.name for seat in state.seats]
    return (
        view.number if state.deal_shown else len(view.sheet) + 1,
        view.dealer,
        view.scorer,
        rows(view.drawn),
        (1, asked.cards - 1) if isinstance(asked, CutNeeded) else view.positions,
        view.totals,
        view.accounts,
        deal_results(view.sheet, names),
        state.sheet,
        None if view.result is None else match_end(view.result, names),
    )


def _no_deal(players: int) -> tuple[Any, ...]:
    """Return the values that replace those of `deal_fields` while no deal is on the table."""
    none: Rows = ((),) * players
    zero = (0,) * players
    return None, None, zero, none, (), 0, 0, (), None, (), None, False, zero, 0, None


_PHASES: dict[Phase, DealPhase] = {
    Phase.DRAW: "draw",
    Phase.USE: "use",
    Phase.PLAY: "play",
    Phase.CLAIM: "claim",
    Phase.OVER: "over",
}


def deal_fields(deal: View, melds: tuple[MeldPlate, ...]) -> tuple[Any, ...]:
    """Return the values of the fields of `Snapshot` from `phase` to `hands`, in the order of declaration.

    The values are the same in the views of all seats.
    """
    return (
        _PHASES[deal.phase],
        deal.turn,
        deal.hand_sizes,
        rows(deal.known),
        text_tuple(deal.pile),
        deal.stock,
        deal.restocks,
        melds,
        None if deal.must_use is None else TEXT[deal.must_use],
        text_tuple(deal.taken),
        None if deal.banned is None else TEXT[deal.banned],
        deal.floater,
        deal.laid,
        deal.passes,
        None if deal.result is None else rows(deal.result.hands),
    )
