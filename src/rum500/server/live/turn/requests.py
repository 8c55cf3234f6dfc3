"""The requests of clients: each is checked against the table's state and then appended to its log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from rum500.match import CutNeeded, DrawNeeded, PlayNeeded
from rum500.rng import U64
from rum500.rules.action_codes import action_kind, encode
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import LET_GO
from rum500.rules.notation import parse_play
from rum500.server import messages
from rum500.server.live.log import entries
from rum500.server.live.log.seats import EXTERNAL_BOT_PREFIX, TableSeat, bot_name, unique_name
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import CheckLevel
from rum500.server.live.turn.advice import check_hint
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.ballot import Ballot
from rum500.server.live.turn.deal_setup import begin_entries
from rum500.server.live.turn.nudges import Nudges
from rum500.server.live.turn.pace import Pace
from rum500.server.live.turn.seat_requests import SeatRequests
from rum500.server.live.turn.turn_timer import TurnTimer
from rum500.server.live.turn.undo_limit import UndoLimit
from rum500.server.live.turn.vacancies import Vacancies
from rum500.server.live.turn.viewer import Viewer
from rum500.server.messages.field_types import HINT_LIMITS
from rum500.server.messages.table_error import TableError
from rum500.state import IllegalPlay, State

_Handler = TypeVar("_Handler", bound=Callable[..., None])
_HANDLERS: dict[type[messages.Request], Callable[[RequestHandler, Viewer, Any], None]] = {}


def _handler(method: _Handler) -> _Handler:
    """Register a method as the handler of the type of message that annotates its parameter `request`."""
    _HANDLERS[get_type_hints(method)["request"]] = method
    return method


def typed(text: str, deal: State) -> int:
    """Return the code of `text`, a play in notation. Raises `NotationError` or `IllegalPlay` if invalid."""
    play = parse_play(text, deal)
    try:
        return encode(play)
    except (ValueError, KeyError):
        refusal = deal.why_not(play)
        if refusal is None:
            raise
        raise IllegalPlay(refusal) from None


def check_legal(code: int, deal: State) -> None:
    """Raise `IllegalPlay` with the reason if this play is not legal."""
    if not deal.is_legal(code):
        refusal = deal.why_not(code)
        assert refusal is not None
        raise IllegalPlay(refusal)


@dataclass(eq=False, repr=False)
class RequestHandler:
    """Checks requests and appends the resulting entries; it sends nothing except reactions."""

    _log: TableLog
    _attendance: Attendance
    _nudges: Nudges
    _timer: TurnTimer
    _ballot: Ballot
    _undo_limit: UndoLimit
    _vacancies: Vacancies
    _seat_requests: SeatRequests
    _pace: Pace
    _entropy: Callable[[int], bytes]
    _say_to_all: Callable[[messages.ServerMessage], None]
    _check_level: CheckLevel

    def handle(self, viewer: Viewer, request: messages.Request) -> None:
        """Handle a viewer's request, unless the same message was handled before.

        Raises `TableError`, `IllegalPlay` or `NotationError` if it is refused; then nothing has changed.
        """
        if not viewer.joined:
            raise TableError("table.join")
        signature = viewer.guest.id, request.id
        if signature in self._log.state.handled_messages:
            return
        if viewer.guest.id.startswith(EXTERNAL_BOT_PREFIX) and not request.from_bots:
            raise TableError("table.robot")
        self._log.signature = signature
        try:
            _HANDLERS[type(request)](self, viewer, request)
        finally:
            self._log.signature = None

    # --- seats --------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self._log.state.status != "open":
            raise TableError("table.begun")

    def _host(self, viewer: Viewer) -> None:
        if viewer.guest.id != self._log.state.host:
            raise TableError("table.host")

    def _seat(self, player: int) -> TableSeat:
        if player >= len(self._log.state.seats):
            most = len(self._log.state.seats)
            raise TableError("table.no_seat", parts=messages.ReasonParts(most=most))
        return self._log.state.seats[player]

    @_handler
    def _sit(self, viewer: Viewer, request: messages.Sit) -> None:
        state, own = self._log.state, viewer.player
        if own is not None and request.seat in (None, own, state.seat_of(own)):
            return
        self._open()
        player = request.seat
        if player is None:
            free = [number for number, seat in enumerate(state.seats) if seat.kind == "empty"]
            if not free:
                raise TableError("table.full")
            player = free[0]
        if self._seat(player).kind != "empty":
            raise TableError("table.seat_taken")
        if own is not None:
            self._log.append(entries.Stood(own))
        self._log.append(entries.Sat(player, viewer.guest.id, viewer.guest.name))
        self._need_host()

    def _player_at(self, seat: int) -> int:
        """Return the player who sits at this seat now. Raises `TableError` if there is no such seat."""
        seating = self._log.state.seating
        if seat >= len(seating):
            raise TableError("table.no_seat", parts=messages.ReasonParts(most=len(seating)))
        return seating[seat]

    @_handler
    def _ask_for_seat(self, viewer: Viewer, request: messages.AskForSeat) -> None:
        self._seat_requests.ask(viewer, self._player_at(request.seat))

    @_handler
    def _stop_asking(self, viewer: Viewer, request: messages.StopAsking) -> None:
        self._seat_requests.withdraw(viewer)

    @_handler
    def _answer_seat(self, viewer: Viewer, request: messages.AnswerSeat) -> None:
        self._seat_requests.answer(viewer, request.request, yes=request.yes)

    @_handler
    def _stand(self, viewer: Viewer, request: messages.Stand) -> None:
        self._open()
        player = self._player(viewer)
        self._log.append(entries.Stood(player))
        self._need_host()

    def _need_host(self) -> None:
        """Make a person at the table the host if the present host has no seat."""
        state = self._log.state
        guests = [seat.guest for seat in state.seats if seat.guest is not None and not seat.external]
        if any(seat.owner == state.host for seat in state.seats if seat.owner is not None):
            return
        if guests and state.host not in guests:
            self._log.append(entries.Hosted(guests[0]))

    @_handler
    def _seat_bot(self, viewer: Viewer, request: messages.SeatBot) -> None:
        self._host(viewer)
        if self._log.state.status in ("playing", "paused") and request.level is not None:
            player = self._player_at(request.seat)
            if self._vacancies.is_vacant(player):
                level = self._registered(request.level)
                self._log.append(entries.BotSat(player, level, bot_name(self._names())))
                return
        self._open()
        seat = self._seat(request.seat)
        stays = request.seat in self._attendance.present or seat.guest == self._log.state.host
        if seat.kind == "person" and stays:
            raise TableError("table.seat_taken")
        if request.level is None:
            if seat.kind != "empty":
                self._log.append(entries.Stood(request.seat))
            return
        level = self._registered(request.level)
        self._log.append(entries.BotSat(request.seat, level, bot_name(self._names())))

    def _registered(self, level: str) -> str:
        game = self._log.state
        return self._check_level(level, game.rules, len(game.seats), "level")

    def _names(self) -> list[str]:
        return [seat.name for seat in self._log.state.seats]

    @_handler
    def _start(self, viewer: Viewer, request: messages.Start) -> None:
        self._open()
        self._host(viewer)
        for entry in begin_entries(self._log.state, self._entropy):
            self._log.append(entry)

    # --- shuffle, draw, cut -------------------------------------------------------------------------

    def _player(self, viewer: Viewer) -> int:
        """Return the viewer's player number. Raises `TableError` for a spectator."""
        player = viewer.player
        if player is None:
            raise TableError("table.not_seated")
        return player

    def _playing(self) -> None:
        status = self._log.state.status
        if status == "open":
            raise TableError("table.not_begun")
        if status == "paused":
            raise TableError("table.paused")
        if status != "playing":
            raise TableError("table.over")

    @_handler
    def _seed(self, viewer: Viewer, request: messages.Seed) -> None:
        if self._log.state.status != "paused":  # browsers send seeds only once, even in a pause
            self._playing()
        player, state = self._player(viewer), self._log.state
        shuffles = state.shuffles
        if state.waiting_for != "shuffle" or shuffles.last is None or request.shuffle != shuffles.count:
            raise TableError("table.stale")
        if player in shuffles.seeds:
            raise TableError("table.seed_given")
        self._log.append(entries.Seeded(player, request.value, request.cut))

    def _asked(self, asked: int) -> None:
        """Raise `TableError` unless `asked` is the number of the present decision."""
        if asked != self._log.state.asked:
            raise TableError("table.stale")

    def _turn(self, player: int) -> None:
        if self._log.state.acting_player != player or self._log.state.clock.timed_out == player:
            raise TableError("table.turn")

    @_handler
    def _pick(self, viewer: Viewer, request: messages.Pick) -> None:
        self._playing()
        player = self._player(viewer)
        self._asked(request.asked)
        assert self._log.state.match is not None
        asked = self._log.state.match.decision
        if not isinstance(asked, DrawNeeded | CutNeeded):
            raise TableError("table.not_asked")
        self._turn(player)
        if isinstance(asked, DrawNeeded):
            if request.position not in asked.positions:
                raise TableError("table.position")
            self._log.append(entries.Drew(request.position))
        else:
            if not 1 <= request.position < asked.cards:
                most = asked.cards - 1
                raise TableError("table.cut", parts=messages.ReasonParts(most=most))
            self._log.append(entries.CutMade(request.position, "seat"))

    # --- play ---------------------------------------------------------------------------------------

    def deal_for(self, player: int) -> State:
        """Return the deal if this player has to decide. Raises `TableError` otherwise."""
        state = self._log.state
        claim = state.claimant(player)
        if claim is not None:
            return claim.state
        if state.claims:
            raise TableError("table.claimed")
        if state.match is None or not isinstance(state.match.decision, PlayNeeded):
            raise TableError("table.not_asked")
        self._turn(player)
        return state.match.decision.state

    @_handler
    def _play(self, viewer: Viewer, request: messages.Play) -> None:
        self._playing()
        player = self._player(viewer)
        self._asked(request.asked)
        deal = self.deal_for(player)
        code = int(request.play)
        if code > U64 // 2:
            code = -1
        self._make(player, deal, code)

    @_handler
    def _say(self, viewer: Viewer, request: messages.Say) -> None:
        self._playing()
        player = self._player(viewer)
        self._asked(request.asked)
        deal = self.deal_for(player)
        self._make(player, deal, typed(request.text, deal))

    def _make(self, player: int, deal: State, code: int) -> None:
        check_legal(code, deal)
        if not self._log.state.claims:
            self._log.append_play(code, spent=self._timer.spent())
        elif code == LET_GO:
            self._log.append(entries.LetGone([player]))
        elif action_kind(code) is ActionKind.CALL:
            self._log.append(entries.Called(player, code))

    @_handler
    def _undo(self, viewer: Viewer, request: messages.Undo) -> None:
        self._playing()
        player = self._player(viewer)
        self._asked(request.asked)
        self._turn(player)
        if not self._undo_limit.available(player):
            raise TableError("table.undo")
        self._log.append(entries.Undone(self._timer.spent()))

    @_handler
    def _hint(self, viewer: Viewer, request: messages.Hint) -> None:
        self._playing()
        player = self._player(viewer)
        self._asked(request.asked)
        self.deal_for(player)
        check_hint(self._log.state, player, request.depth)
        if HINT_LIMITS.index(request.depth) > HINT_LIMITS.index(self._log.state.hinted.get(player, "none")):
            self._log.append(entries.Hinted(player, request.depth))

    # --- between deals, votes, the end --------------------------------------------------------------

    @_handler
    def _next(self, viewer: Viewer, request: messages.Next) -> None:
        self._playing()
        player = self._player(viewer)
        if self._log.state.waiting_for != "next":
            raise TableError("table.stale")
        if player not in self._log.state.ready:
            self._log.append(entries.Readied(player))

    @_handler
    def _vote(self, viewer: Viewer, request: messages.Vote) -> None:
        player, status = self._player(viewer), self._log.state.status
        fits = {
            "pause": status == "playing",
            "resume": status == "paused",
            "abandon": status in ("open", "playing", "paused"),
            "replace": self._ballot.can_replace(),
            "stand_in": self._ballot.can_replace(),
            "rematch": status == "over" and self._log.state.rematch is None and not self._log.state.tried,
        }
        if not fits[request.on]:
            raise TableError("table.vote", parts=messages.ReasonParts(kind=request.on))
        if (player in self._log.state.votes.get(request.on, ())) != request.yes:
            self._log.append(entries.Voted(request.on, player, request.yes))

    @_handler
    def _nudge(self, viewer: Viewer, request: messages.Nudge) -> None:
        self._playing()
        player, absent = self._player(viewer), self._player_at(request.seat)
        if not self._nudges.allowed(absent):
            raise TableError("table.nudge")
        self._log.append(entries.Nudged(absent, player))

    @_handler
    def _wait_for_me(self, viewer: Viewer, request: messages.WaitForMe) -> None:
        player = self._player(viewer)
        if (player in self._log.state.absences.waited_for) != request.yes:
            self._log.append(entries.WaitAsked(player, request.yes))

    @_handler
    def _set_speed(self, viewer: Viewer, request: messages.SetSpeed) -> None:
        self._alone(viewer)
        if request.speed != self._log.state.speed:
            self._log.append(entries.SpeedSet(request.speed))

    @_handler
    def _to_my_turn(self, viewer: Viewer, request: messages.ToMyTurn) -> None:
        self._playing()
        self._alone(viewer)
        self._pace.skipping = True

    def _alone(self, viewer: Viewer) -> None:
        if viewer.player is None or viewer.player != self._log.state.only_person:
            raise TableError("table.speed")

    @_handler
    def _resign(self, viewer: Viewer, request: messages.Resign) -> None:
        player = self._player(viewer)
        if self._log.state.status == "open":
            raise TableError("table.not_begun")
        if self._log.state.status not in ("playing", "paused"):
            raise TableError("table.over")
        self._log.append(entries.Resigned(player))

    # --- chat and reactions -------------------------------------------------------------------------

    @_handler
    def _chat(self, viewer: Viewer, request: messages.Chat) -> None:
        text = " ".join(request.text.split())
        if not text:
            raise TableError("table.chat")
        player = viewer.player
        name = unique_name(viewer.guest.name, self._names()) if player is None else self._names()[player]
        self._log.append(entries.ChatEntry(player, name, text))

    @_handler
    def _react(self, viewer: Viewer, request: messages.React) -> None:
        seat = self._log.state.seat_of(self._player(viewer))
        assert seat is not None
        self._say_to_all(messages.ReactionShown(seat=seat, reaction=request.reaction))
