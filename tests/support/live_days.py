"""Tables with a clock of days, and time that passes at them."""

from __future__ import annotations

from rum500.server.live.log import entries as log
from rum500.server.live.log.entries import from_stored
from rum500.server.live.log.table_state import TableState
from rum500.store import TableRow
from tests.support.live import Person, Room
from tests.support.live_deals import in_turn

DAY = 86_400
HOUR = 3600


async def later(room: Room, seconds: float) -> None:
    """Let this much time pass at once: everything due meanwhile happens at its end."""
    room.clock.time += seconds
    await room.pass_time(0)


async def by_days(room: Room, **options: object) -> tuple[Person, Person]:
    """Return two people at a table with a day for each turn: first the one in turn."""
    first, second = await in_turn(room, **{"turn_s": DAY} | options)
    return first, second


async def all_leave(room: Room, *people: Person) -> None:
    """Let these people leave, and wait until their table is not in memory."""
    for person in people:
        await person.leave()
    await room.pass_time(100)
    assert len(room.tables) == 0


async def row_of(room: Room, person: Person) -> TableRow:
    row = await room.store.table(person.table.id)
    assert row is not None
    return row


async def log_of(room: Room, person: Person) -> list[log.LogEntry]:
    return [from_stored(entry) for entry in await room.store.entries(person.table.id)]


async def state_of(room: Room, person: Person) -> TableState:
    """Return the state of the person's table as its log in the store gives it."""
    return TableState.fold(person.table.id, await room.store.entries(person.table.id))


async def back(room: Room, person: Person) -> Person:
    return await room.join(person.table.id, person.guest.name)
