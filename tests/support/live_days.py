"""Tables with a clock of days, and the time that goes by at them."""

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
    """Let so much time pass at once: what was due meanwhile happens at its end."""
    room.clock.time += seconds
    await room.pass_time(0)


async def by_days(room: Room, **options: object) -> tuple[Person, Person]:
    """Two at a table with a day for each turn: who has to play, and the other."""
    first, second = await in_turn(room, **{"turn_s": DAY} | options)
    return first, second


async def all_leave(room: Room, *people: Person) -> None:
    """All leave, and their table leaves memory."""
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
    """The table as its log in the store describes it."""
    return TableState.fold(person.table.id, await room.store.entries(person.table.id))


async def back(room: Room, person: Person) -> Person:
    return await room.join(person.table.id, person.guest.name)
