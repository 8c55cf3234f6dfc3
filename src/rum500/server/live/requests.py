"""What clients ask for: each request is checked against the table, then written into its log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rum500.match import CutNeeded, DrawNeeded, PlayNeeded
from rum500.rng import U64
from rum500.rules.action_codes import action_kind, encode
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import LET_GO
from rum500.rules.notation import parse_play
from rum500.server import messages
from rum500.server.live import log_entries as log
from rum500.server.live.seats import EXTERNAL_BOT_PREFIX, TableSeat, bot_name, unique_name
from rum500.server.live.table_options import check_level
from rum500.server.live.table_state import TableState
from rum500.server.messages.table_error import TableError
from rum500.state import IllegalPlay, State

if TYPE_CHECKING:
    from rum500.server.live.table import LiveTable
    from rum500.server.live.viewer import Viewer

LONGEST_CHAT = 300
_OF_ROBOTS = messages.Seed | messages.Pick | messages.Play | messages.Say | messages.Undo | messages.Next


def typed(text: str, deal: State) -> int:
    """The number of a play in words; `NotationError` and `IllegalPlay` say what is wrong with it."""
    play = parse_play(text, deal)
    try:
        return encode(play)
    except (ValueError, KeyError):
        refusal = deal.why_not(play)
        if refusal is None:
            raise
        raise IllegalPlay(refusal) from None


def check_legal(code: int, deal: State) -> None:
    """`IllegalPlay`, with the reason, for a play that is not open."""
    if not deal.is_legal(code):
        refusal = deal.why_not(code)
        assert refusal is not None
        raise IllegalPlay(refusal)


class RequestHandler:
    """Answers what clients ask of a table; `TableError`, `IllegalPlay` and `NotationError` say why not."""

    def __init__(self, table: LiveTable) -> None:
        """Of this table."""
        self.table = table

    @property
    def state(self) -> TableState:
        """The table as its log has it."""
        return self.table.state

    def answer(self, connection: Viewer, message: messages.Request) -> None:
        """Do what is asked for."""
        if connection.guest.id.startswith(EXTERNAL_BOT_PREFIX) and not isinstance(message, _OF_ROBOTS):
            raise TableError("table.robot")
        self._ANSWERS[type(message)](self, connection, message)

    # --- seats --------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self.state.status != "open":
            raise TableError("table.begun")

    def _host(self, connection: Viewer) -> None:
        if connection.guest.id != self.state.host:
            raise TableError("table.host")

    def _seat(self, player: int) -> TableSeat:
        if player >= len(self.state.seats):
            most = len(self.state.seats)
            raise TableError("table.no_seat", parts=messages.ReasonParts(most=most))
        return self.state.seats[player]

    def _sit(self, connection: Viewer, message: messages.Sit) -> None:
        state, own = self.state, connection.player
        if own is not None and message.seat in (None, own, state.seat_of(own)):
            return
        self._open()
        player = message.seat
        if player is None:
            free = [number for number, seat in enumerate(state.seats) if seat.kind == "empty"]
            if not free:
                raise TableError("table.full")
            player = free[0]
        if self._seat(player).kind != "empty":
            raise TableError("table.seat_taken")
        if own is not None:
            self.table.write(log.Stood(own))
        self.table.write(log.Sat(player, connection.guest.id, connection.guest.name))
        self._need_host()

    def _stand(self, connection: Viewer, message: messages.Stand) -> None:
        self._open()
        player = self._player(connection)
        self.table.write(log.Stood(player))
        self._need_host()

    def _need_host(self) -> None:
        """Somebody who sits at the table is its host, as long as somebody does."""
        state = self.state
        guests = [seat.guest for seat in state.seats if seat.guest is not None and not seat.robot]
        if any(seat.owner == state.host for seat in state.seats if seat.owner is not None):
            return
        if guests and state.host not in guests:
            self.table.write(log.Hosted(guests[0]))

    def _seat_bot(self, connection: Viewer, message: messages.SeatBot) -> None:
        self._open()
        self._host(connection)
        seat = self._seat(message.seat)
        stays = message.seat in self.table.present or seat.guest == self.state.host
        if seat.kind == "person" and stays:
            raise TableError("table.seat_taken")
        if message.level is None:
            if seat.kind != "empty":
                self.table.write(log.Stood(message.seat))
            return
        level = check_level(message.level, "level")
        self.table.write(log.BotSat(message.seat, level, bot_name(self._names())))

    def _names(self) -> list[str]:
        return [seat.name for seat in self.state.seats]

    def _start(self, connection: Viewer, message: messages.Start) -> None:
        self._open()
        self._host(connection)
        self.table.begin()

    # --- shuffle, draw, cut -------------------------------------------------------------------------

    def _player(self, connection: Viewer) -> int:
        """The player who asks; refused to spectators."""
        player = connection.player
        if player is None:
            raise TableError("table.not_seated")
        return player

    def _playing(self) -> None:
        status = self.state.status
        if status == "open":
            raise TableError("table.not_begun")
        if status == "paused":
            raise TableError("table.paused")
        if status != "playing":
            raise TableError("table.over")

    def _seed(self, connection: Viewer, message: messages.Seed) -> None:
        if self.state.status != "paused":  # browsers give theirs once, unasked
            self._playing()
        player, state = self._player(connection), self.state
        if state.waiting_for != "shuffle" or state.shuffle is None or message.shuffle != state.shuffles:
            raise TableError("table.stale")
        if player in state.seeds:
            raise TableError("table.seed_given")
        self.table.write(log.Seeded(player, message.value, message.cut))

    def _asked(self, asked: int) -> None:
        """What is asked now must be what the client saw."""
        if asked != self.state.asked:
            raise TableError("table.stale")

    def _turn(self, player: int) -> None:
        if self.state.acting_player != player or self.state.timed_out == player:
            raise TableError("table.turn")

    def _pick(self, connection: Viewer, message: messages.Pick) -> None:
        self._playing()
        player = self._player(connection)
        self._asked(message.asked)
        assert self.state.match is not None
        asked = self.state.match.decision
        if not isinstance(asked, DrawNeeded | CutNeeded):
            raise TableError("table.not_asked")
        self._turn(player)
        if isinstance(asked, DrawNeeded):
            if message.position not in asked.positions:
                raise TableError("table.position")
            self.table.write(log.Drew(message.position))
        else:
            if not 1 <= message.position < asked.cards:
                most = asked.cards - 1
                raise TableError("table.cut", parts=messages.ReasonParts(most=most))
            self.table.write(log.CutMade(message.position, "seat"))

    # --- play ---------------------------------------------------------------------------------------

    def deal_for(self, player: int) -> State:
        """The deal as this player has to decide in it; `TableError` where the player has not."""
        state = self.state
        claim = state.claimant(player)
        if claim is not None:
            return claim.state
        if state.claims:
            raise TableError("table.claimed")
        if state.match is None or not isinstance(state.match.decision, PlayNeeded):
            raise TableError("table.not_asked")
        self._turn(player)
        return state.match.decision.state

    def _play(self, connection: Viewer, message: messages.Play) -> None:
        self._playing()
        player = self._player(connection)
        self._asked(message.asked)
        deal = self.deal_for(player)
        code = int(message.play)
        if code > U64 // 2:
            code = -1
        self._make(player, deal, code)

    def _say(self, connection: Viewer, message: messages.Say) -> None:
        self._playing()
        player = self._player(connection)
        self._asked(message.asked)
        deal = self.deal_for(player)
        self._make(player, deal, typed(message.text, deal))

    def _make(self, player: int, deal: State, code: int) -> None:
        check_legal(code, deal)
        if not self.state.claims:
            self.table.write(self.table.played(code))
        elif code == LET_GO:
            self.table.write(log.LetGone([player]))
        elif action_kind(code) is ActionKind.CALL:
            self.table.write(log.Called(player, code))

    def _undo(self, connection: Viewer, message: messages.Undo) -> None:
        self._playing()
        player = self._player(connection)
        self._asked(message.asked)
        self._turn(player)
        if not self.table.undoable(player):
            raise TableError("table.undo")
        self.table.write(log.Undone(self.table.course.spent()))

    # --- between deals, votes, the end --------------------------------------------------------------

    def _next(self, connection: Viewer, message: messages.Next) -> None:
        self._playing()
        player = self._player(connection)
        if self.state.waiting_for != "next":
            raise TableError("table.stale")
        if player not in self.state.ready:
            self.table.write(log.Readied(player))

    def _vote(self, connection: Viewer, message: messages.Vote) -> None:
        player, status = self._player(connection), self.state.status
        fits = {
            "pause": status == "playing",
            "resume": status == "paused",
            "abandon": status in ("open", "playing", "paused"),
            "replace": self.table.course.votes.replaceable(),
            "rematch": status == "over" and self.state.rematch is None,
        }
        if not fits[message.on]:
            raise TableError("table.vote", parts=messages.ReasonParts(kind=message.on))
        if (player in self.state.votes.get(message.on, ())) != message.yes:
            self.table.write(log.Voted(message.on, player, message.yes))

    def _resign(self, connection: Viewer, message: messages.Resign) -> None:
        player = self._player(connection)
        if self.state.status == "open":
            raise TableError("table.not_begun")
        if self.state.status not in ("playing", "paused"):
            raise TableError("table.over")
        self.table.write(log.Resigned(player))

    # --- talk ---------------------------------------------------------------------------------------

    def _chat(self, connection: Viewer, message: messages.Chat) -> None:
        text = " ".join(message.text.split())[:LONGEST_CHAT]
        if not text:
            raise TableError("table.chat")
        player = connection.player
        name = unique_name(connection.guest.name, self._names()) if player is None else self._names()[player]
        self.table.write(log.ChatEntry(player, name, text))

    def _feel(self, connection: Viewer, message: messages.Feel) -> None:
        seat = self.state.seat_of(self._player(connection))
        assert seat is not None
        self.table.tell(messages.Emoted(seat=seat, emote=message.emote))

    _ANSWERS: dict[type[messages.Request], Callable[[RequestHandler, Viewer, Any], None]] = {  # noqa: RUF012
        messages.Sit: _sit,
        messages.Stand: _stand,
        messages.SeatBot: _seat_bot,
        messages.Start: _start,
        messages.Seed: _seed,
        messages.Pick: _pick,
        messages.Play: _play,
        messages.Say: _say,
        messages.Undo: _undo,
        messages.Next: _next,
        messages.Vote: _vote,
        messages.Resign: _resign,
        messages.Chat: _chat,
        messages.Feel: _feel,
    }
