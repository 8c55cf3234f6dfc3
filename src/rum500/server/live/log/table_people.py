"""What the log's entries about people do to a table: who sits where, names, votes, absence, hints, chat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rum500.record import digest
from rum500.server import messages
from rum500.server.live.log import entries as log
from rum500.server.live.log.seats import (
    EXTERNAL_BOT_PREFIX,
    TableSeat,
    bot_name,
    name_skeleton,
    unique_name,
)
from rum500.server.live.log.table_options import rules_for

if TYPE_CHECKING:
    from rum500.server.live.log.table_state import TableState


def _created(state: TableState, line: log.Created) -> None:
    state.options = line.options
    state.rules, players = rules_for(line.options)
    if line.rules != digest(state.rules):
        raise log.LogError(
            f"the table was made under other rules of {state.rules.name} (digest {line.rules}) than this "
            f"version's ({digest(state.rules)}): rum500 {line.version} made it and can play it on"
        )
    state.host = line.host
    state.secret = int(line.secret, 16)
    state.seats = [TableSeat() for _ in range(players)]
    state.hints = [0] * players


def _sat(state: TableState, line: log.Sat) -> None:
    state.seats[line.player] = TableSeat("person", line.guest)
    set_name(state, line.player, line.name)
    state.note("sat", line.player, name=state.seats[line.player].name)


def _stood(state: TableState, line: log.Stood) -> None:
    state.note("stood", line.player, name=state.seats[line.player].name)
    _seat(state, line.player, TableSeat())


def _lent(state: TableState, line: log.SeatLent) -> None:
    former = state.seats[line.player]
    owner = former.owner if former.external else former.guest
    seat = TableSeat("person", EXTERNAL_BOT_PREFIX + line.key, external=True, owner=owner, lender=line.by)
    seat.owner_name = former.owner_name if former.external else former.name
    _seat(state, line.player, seat)
    set_name(state, line.player, line.name)
    state.note("sat", line.player, name=seat.name)


def _recalled(state: TableState, line: log.SeatTokenRevoked) -> None:
    former = state.seats[line.player]
    if former.owner is not None:
        _seat(state, line.player, TableSeat("person", former.owner))
        set_name(state, line.player, former.owner_name)
        state.note("sat", line.player, name=state.seats[line.player].name)
    elif state.match is None:
        state.note("stood", line.player, name=former.name)
        _seat(state, line.player, TableSeat())
    else:
        _seat(state, line.player, TableSeat("bot", None, former.name, state.options.level))
        _bots_give_way(state)
        state.note("bot", line.player, name=state.seats[line.player].name)


def _seat(state: TableState, player: int, seat: TableSeat) -> None:
    """Seat somebody else here, or nobody: votes from this seat no longer count."""
    state.seats[player] = seat
    state.votes = {on: who - {player} for on, who in state.votes.items()}


def _bot_sat(state: TableState, line: log.BotSat) -> None:
    _seat(state, line.player, TableSeat("bot", None, line.name, line.level))
    _bots_give_way(state)
    state.note("bot", line.player, name=state.seats[line.player].name)


def set_name(state: TableState, player: int, name: str) -> None:
    """Give a person this name, with a number if it looks like that of another at the table."""
    people = [seat.name for seat in _others(state, player) if seat.kind == "person"]
    shown = unique_name(name, people)
    if shown != state.seats[player].name:
        state.seats[player].name = shown
        state.revision += 1
        _bots_give_way(state)


def _bots_give_way(state: TableState) -> None:
    """Give each bot whose name looks like another's a name that nobody has."""
    for player, seat in enumerate(state.seats):
        others = [other.name for other in _others(state, player)]
        if seat.kind == "bot" and name_skeleton(seat.name) in map(name_skeleton, others):
            seat.name = bot_name(others)


def _others(state: TableState, player: int) -> list[TableSeat]:
    return [seat for other, seat in enumerate(state.seats) if other != player and seat.kind != "empty"]


def _hosted(state: TableState, line: log.Hosted) -> None:
    state.host = line.guest


def _replaced(state: TableState, line: log.Replaced) -> None:
    state.replaced.add(line.player)
    state.votes.pop("replace", None)
    state.note("replaced", state.seat_of(line.player))


def _returned(state: TableState, line: log.Returned) -> None:
    state.replaced.discard(line.player)


def _readied(state: TableState, line: log.Readied) -> None:
    state.ready.add(line.player)


def _voted(state: TableState, line: log.Voted) -> None:
    agreed = state.votes.setdefault(line.on, set())
    if line.yes:
        agreed.add(line.player)
    else:
        agreed.discard(line.player)


def _hinted(state: TableState, line: log.Hinted) -> None:
    if line.player not in state.hinted:
        state.hints[line.player] += 1
        state.deals[-1].hints[line.player] += 1
    state.hinted[line.player] = line.depth
    state.note("hinted", state.seat_of(line.player), depth=line.depth)


def _chatted(state: TableState, line: log.ChatEntry) -> None:
    state.chat.append(messages.ChatLine(seat=state.seat_of(line.player), name=line.name, text=line.text))


PEOPLE_ENTRIES: Mapping[type[log.LogEntry], Callable[[TableState, Any], None]] = {
    log.Created: _created,
    log.Sat: _sat,
    log.Stood: _stood,
    log.BotSat: _bot_sat,
    log.SeatLent: _lent,
    log.SeatTokenRevoked: _recalled,
    log.Hosted: _hosted,
    log.Replaced: _replaced,
    log.Returned: _returned,
    log.Readied: _readied,
    log.Voted: _voted,
    log.Hinted: _hinted,
    log.ChatEntry: _chatted,
}
"""By kind of entry, what applies one to a table."""
