"""Live tables for tests: a clock moved by hand, randomness from a seed, people who keep what they receive."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import heapq
import inspect
import itertools
import pkgutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from rum500 import bots
from rum500.local import LocalStore
from rum500.match import PlayNeeded
from rum500.rng import Rng
from rum500.server import messages
from rum500.server.live.broadcast.snapshot_builder import snapshot_of
from rum500.server.live.log.table_options import Guest
from rum500.server.live.ownership import SoleOwner
from rum500.server.live.table import LiveTable
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages import SERVER_DECODER
from rum500.server.messages.options import TableOptions
from rum500.server.thinking.executor import PendingChoice, advise_inline, choice
from rum500.server.work_scheduler import WorkScheduler
from rum500.state import State
from rum500.store import Store
from rum500.view import View
from tests.support.key_values import Memory
from tests.support.waiting import comes_true, other_tasks

GREEDY = bots.get("greedy")


class Alarm:
    """A scheduled call."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class ManualClock:
    """A clock that moves only when a test moves it."""

    def __init__(self, now: float = 1000.0) -> None:
        self.time = now
        self.alarms: list[tuple[float, int, Alarm]] = []
        self.numbers = itertools.count()

    def now(self) -> float:
        return self.time

    def wall(self) -> int:
        return 1_800_000_000_000 + round(self.time * 1000)

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        alarm = Alarm(call)
        heapq.heappush(self.alarms, (moment, next(self.numbers), alarm))
        return alarm

    def next_alarm(self, before: float) -> Alarm | None:
        """Return the next alarm up to this moment and move the clock to its time; None if there is none."""
        while self.alarms and self.alarms[0][0] <= before:
            moment, _, alarm = heapq.heappop(self.alarms)
            if alarm.call is not None:
                self.time = max(self.time, moment)
                return alarm
        return None


class AtOnce:
    """An executor that computes in the calling thread, at once."""

    advise = staticmethod(advise_inline)

    @functools.cached_property
    def scheduler(self) -> WorkScheduler:
        return WorkScheduler({"interactive": 1})

    def warm(self, level: str) -> None:
        pass

    def choose(self, level: str, view: View, chance: Rng, done: object, who: object) -> int:
        return choice(level, view, chance)

    def call(self, _work: object, _who: object, function: str, *parts: object) -> asyncio.Future[bytes]:
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        future.set_result(pkgutil.resolve_name(function)(*parts))
        return future

    async def close(self) -> None:
        await self.scheduler.close()


class Later(AtOnce):
    """An executor that computes at once, and delivers the result when a test asks for it."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], int], Callable[[int], None]]] = []

    def choose(  # type: ignore[override]
        self, level: str, view: View, chance: Rng, done: Callable[[int], None], who: object
    ) -> PendingChoice:
        self.waiting.append((lambda: choice(level, view, chance), done))
        return PendingChoice()

    def deliver(self) -> None:
        waiting, self.waiting = self.waiting, []
        for work, done_ in waiting:
            done_(work())


class Dice:
    """Random bytes from a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_128(f"{self.seed}/{self.count}".encode()).digest(size)


class Person:
    """Somebody at a table, and all that they received; also their outbox."""

    def __init__(self, room: Room, table: LiveTable, guest: Guest) -> None:
        self.room = room
        self.table = table
        self.guest = guest
        self.raw: list[bytes] = []
        self.got: list[Any] = []
        self.shared: dict[str, Any] = {}
        self.own: dict[str, Any] = {}
        self.events: list[messages.TableEvent] = []
        self.closed: str | None = None
        self.number = 0
        self.connection: Any = None

    # what the table calls

    def send(self, message: bytes) -> None:
        self.raw.append(message)
        message = SERVER_DECODER.decode(message)
        self.got.append(message)
        if isinstance(message, messages.Sync | messages.Update):
            self.number = message.number
            self.events += message.missed if isinstance(message, messages.Sync) else message.events
            for part, known in ((message.shared, self.shared), (message.you, self.own)):
                if part is not msgspec.UNSET:
                    known.update(fields_of(part))

    def close(self, reason: str) -> None:
        self.closed = reason

    # what the person does

    def connect(self) -> None:
        self.closed = None
        self.connection = self.table.connect(self.guest, self)

    async def join(self, last: int = 0) -> messages.Sync:
        self.connect()
        message = await self.do(messages.Join(id=self.room.new_id(), last=last))
        assert isinstance(message, messages.Sync)
        return message

    async def leave(self, *, said_bye: bool = True) -> None:
        """Close the page; without a good-bye it is as if the phone was locked."""
        self.table.disconnect(self.connection, said_bye=said_bye)
        await self.room.settle()

    async def do(self, message: messages.Request) -> Any:
        """Send a message and return the answer."""
        before = len(self.got)
        self.table.receive(self.connection, message)
        await self.room.settle()
        found = [each for each in self.got[before:] if getattr(each, "re", None) == message.id]
        assert len(found) == 1, (message, self.got[before:])
        return found[0]

    @property
    def refusals(self) -> dict[str, str]:
        """The codes of all refusals so far, by the id of the message."""
        return {each.re: each.reason.code for each in self.got if isinstance(each, messages.Refused)}

    async def ask(self, kind: type[messages.Request], **fields: Any) -> Any:
        return await self.do(kind(id=self.room.new_id(), **fields))

    async def play(self, code: int | str) -> Any:
        return await self.ask(messages.Play, asked=self.shared["asked"], play=str(code))

    async def say(self, text: str) -> Any:
        return await self.ask(messages.Say, asked=self.shared["asked"], text=text)

    @property
    def seat(self) -> int | None:
        return self.own["seat"]

    @property
    def may(self) -> list[str]:
        return self.own["may"]

    async def move(self) -> Any:
        """Return the greedy bot's play in this position."""
        state = self.table.log.state
        player = state.player_of(self.guest.id)
        assert player is not None
        deal = self.table._requests.deal_for(player)
        view = deal.view(deal.actor)
        return await self.play(GREEDY.choose_int(view, Rng(1)))

    async def turn(self) -> None:
        """Play a whole turn, as the greedy bot would."""
        while self.may:
            assert isinstance(await self.move(), messages.Update)

    async def in_turn(self) -> None:
        """Wait for this person's turn."""
        while not self.may:
            await self.room.pass_time(1)


def fields_of(part: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a message part that are set, with lists for tuples, as in JSON."""
    fields = {name: getattr(part, name) for name in part.__struct_fields__}
    return {name: _plain(value) for name, value in fields.items() if value is not msgspec.UNSET}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


class Room:
    """A server without its network: a real store, tables, and a clock that the test moves."""

    def __init__(self, folder: Path, seed: int = 1, *, local: bool = False) -> None:
        """`local` replaces the database by the store of a server without a network."""
        self.folder = folder
        self.data = Memory() if local else None
        self.clock = ManualClock()
        self.dice = Dice(seed)
        self.ids = itertools.count(1)
        self.store: Store
        self.tables: TableRegistry

    async def open(self) -> None:
        if self.data is None:
            self.store = await Store.open(self.folder)
        else:
            self.store = cast("Store", await LocalStore.open(self.data))
        self.tables = TableRegistry(
            SoleOwner(self.store),
            time=self.clock,
            entropy=self.dice,
            executor=AtOnce(),
            idle_s=60.0,
            together_s=0.0,
        )

    async def close(self) -> None:
        await self.tables.close()
        await self.store.close()

    async def crash(self) -> None:
        """End the process as in a crash: only what was committed is left."""
        for table in self.tables._live.values():
            table.task.cancel()
        await other_tasks()
        await self.store.close()
        self.clock = ManualClock(self.clock.time + 500)
        await self.open()

    def new_id(self) -> str:
        return f"m{next(self.ids)}"

    async def settle(self) -> None:
        """Let everything that is due now happen."""
        quiet = 0
        while quiet < 3:
            if self._busy():
                await comes_true(lambda: not self._busy())
                quiet = 0
            quiet += 1
            await other_tasks()
        for table in self.tables._live.values():
            if not table.log.broken and table._broadcaster.due is None:
                sender = table._broadcaster
                seen = snapshot_of(table.log.state, sender.presence())
                assert all(
                    viewer.sent.snapshot == seen for viewer in table._attendance.viewers if viewer.sent
                )

    def _busy(self) -> bool:
        return self.tables.day_clock.waking or any(
            table._queue or table._wake is None or table._wake.done() for table in self.tables._live.values()
        )

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, one alarm after the other."""
        end = self.clock.time + seconds
        await self.settle()
        while (alarm := self.clock.next_alarm(end)) is not None:
            assert alarm.call is not None
            alarm.call()
            await self.settle()
        self.clock.time = end

    async def table(
        self, host: str = "Ann", *, bots: tuple[str | None, ...] = (), start: bool = False, **options: Any
    ) -> Person:
        """Make a table; return its host, who has joined."""
        chosen = TableOptions(**{"profile": "500-rum", "players": 2, "bot_pause_ms": 0} | options)
        guest = Guest(host.lower(), host)
        table = await self.tables.create(chosen, guest, bots=bots, start=start)
        return await self.join(table, host)

    async def join(self, table: str, name: str) -> Person:
        """Let somebody join a table; return them."""
        live = await self.tables.get(table)
        assert live is not None
        person = Person(self, live, Guest(name.lower(), name))
        await person.join()
        return person

    async def at_play(self, names: tuple[str, ...] = ("Ann", "Ben"), **options: Any) -> list[Person]:
        """Return people at a table, with the first deal dealt."""
        host = await self.table(names[0], players=len(names), **options)
        people = [host, *[await self.join(host.table.id, name) for name in names[1:]]]
        for person in people[1:]:
            await person.ask(messages.Sit)
        await host.ask(messages.Start)
        await self.deal(people)
        return people

    async def deal(self, people: list[Person]) -> None:
        """Draw, shuffle and cut until the cards are dealt."""
        for _ in range(100):
            await self.pass_time(self.tables.services.together_s)
            shared = people[0].shared
            waiting, actor = shared["waiting_for"], shared["actor"]
            if waiting == "shuffle":
                for person in people:
                    if (
                        person.shared["waiting_for"] == "shuffle"
                        and person.seat not in person.shared["fairness"].given
                    ):
                        shuffle = person.shared["fairness"].shuffle
                        await person.ask(messages.Seed, shuffle=shuffle, value="ab" * 16)
            elif waiting in ("draw", "cut"):
                one = next((person for person in people if person.seat == actor), None)
                if one is None:
                    await self.pass_time(30)
                else:
                    await one.ask(messages.Pick, asked=shared["asked"], position=shared["positions"][0])
            else:
                return
        raise AssertionError("no deal")


def rig(table: LiveTable, state: State) -> None:
    """Put this deal on the table. The log does not contain it, so the table must not be loaded again."""
    match = table.log.state.match
    assert match is not None
    match.state = state
    match._before.clear()
    match._decision = PlayNeeded(state.actor, state)
    table.log.state.deals[-1].plays.clear()
    table.log.state._ask_for_play(new_turn=True)
    table.log.state._update_actor()
    table.log.state.revision += 1


def at_each_store(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Return a test as `at_tables` does, which runs with a database and with the store of a local server."""
    run = at_tables(test)
    signature = inspect.signature(run)
    local = inspect.Parameter("local", inspect.Parameter.KEYWORD_ONLY)
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), local]
    )
    return pytest.mark.parametrize("local", [False, True], ids=["database", "local"])(run)


def at_tables(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Return a test that gets a `Room` as `room`, and fails if it leaves errors behind."""

    @functools.wraps(test)
    def run(tmp_path: Path, *, local: bool = False, **fixtures: Any) -> None:
        async def body() -> None:
            room = Room(tmp_path / "data", local=local)
            await room.open()
            try:
                await test(room, **fixtures)
            finally:
                await room.close()

        asyncio.run(body())

    signature = inspect.signature(test)
    wanted = [parameter for name, parameter in signature.parameters.items() if name != "room"]
    path = inspect.Parameter("tmp_path", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    run.__signature__ = signature.replace(parameters=[path, *wanted])  # type: ignore[attr-defined]
    return run
