"""Whatever people at a table say, in whatever order, in the middle of play: votes, resignations, all else.

Each message is answered once; refused messages change nothing; the log, read again, has the table that is in
memory; and no table comes to stand still.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500.server import messages
from rum500.server.live.broadcast.snapshot_builder import snapshot_of
from rum500.server.live.log.table_state import TableState
from rum500.server.live.table_registry import TOGETHER_S
from tests.support.depth import depth
from tests.support.live import Person, Room
from tests.support.schema import KINDS, fitting
from tests.test_live_races import one_step

NAMES = ("Ann", "Ben", "Cleo", "Dan")
TABLES: list[dict[str, Any]] = [{}, {"house_rules": ["H5", "H6"]}, {"turn_s": 20, "bank_s": 30}]
ONS = ("pause", "resume", "abandon", "replace", "stand_in", "rematch")


class Step(NamedTuple):
    """Something that happens at a table: what, by whom, and a number or a message for it.

    `who` counts the people, then the spectator; any other number is the player to move, if there is one.
    """

    what: str
    who: int
    more: Any = 0


MORE = {
    "say": st.sampled_from(sorted(KINDS.keys() - {"Resign"})).flatmap(lambda kind: fitting(KINDS[kind])),
    "play": st.integers(1, 6),
    "agree": st.sampled_from(ONS) | st.just("pause"),
    "wait": st.sampled_from([1, 7, 65, 700]),
    "leave": st.none(),
    "resign": st.none(),
}
OFTEN = {"say": 8, "play": 5, "agree": 3, "wait": 2, "leave": 2, "resign": 1}
STEPS = st.sampled_from([what for what, often in OFTEN.items() for _ in range(often)]).flatmap(
    lambda what: st.builds(Step, st.just(what), st.integers(0, 2 * len(NAMES)), MORE[what])
)

BEGINNINGS = {
    "playing": [],
    "fewer": [Step("resign", 0)],
    "paused": [Step("agree", 0, "pause")],
    "abandoned": [Step("agree", 0, "abandon")],
    "over": [Step("resign", who) for who in range(len(NAMES) - 1)],
}
"""What has happened at a table before, by what it has come to."""


class Course:
    """A table from the first deal on."""

    def __init__(self, room: Room, people: list[Person], watcher: Person) -> None:
        self.room, self.people, self.watcher = room, people, watcher
        self.table = watcher.table
        self.gone: set[Person] = set()

    async def here(self, person: Person) -> Person:
        """This person, who has come back if need be."""
        if person in self.gone:
            self.gone.remove(person)
            await person.join()
        return person

    async def say(self, person: Person, message: messages.Request) -> None:
        """Say it: one answer, and a refusal changes nothing."""
        before = self.table.log.state.number
        reply = await (await self.here(person)).do(message)
        kinds = messages.Update, messages.Answer, messages.Sync, messages.Pong, messages.Refused
        assert isinstance(reply, kinds)
        if isinstance(reply, messages.Refused):
            assert reply.reason.code not in {"table.failed", "table.busy"}, (message, reply)
            assert self.table.log.state.number == before, (message, reply)

    def by(self, who: int) -> Person:
        """The person who does the step."""
        everybody = [*self.people, self.watcher]
        if who < len(everybody):
            return everybody[who]
        return next((person for person in self.people if person.may), everybody[who % len(everybody)])

    async def take(self, step: Step) -> None:
        """One step."""
        person = self.by(step.who)
        if step.what == "play":
            for _ in range(step.more):
                await self.go_on()
        elif step.what == "agree":
            for each in self.people:
                if each.seat is not None:
                    vote = messages.Vote(id=self.room.new_id(), on=step.more)
                    await self.say(each, vote)
        elif step.what == "resign":
            await self.say(person, messages.Resign(id=self.room.new_id()))
        elif step.what == "leave":
            if person not in self.gone:
                self.gone.add(person)
                await person.leave()
        elif step.what == "wait":
            await self.room.pass_time(step.more)
        else:
            await self.say(person, self.fresh(person, step.more))

    def fresh(self, person: Person, fields: dict[str, Any]) -> messages.Request:
        """The message as the schema has it, of the table's present: else nearly all would come too late."""
        shared, own = person.shared, person.own
        now = {"asked": shared["asked"], "id": self.room.new_id()}
        if fairness := shared["fairness"]:
            now["shuffle"] = fairness.shuffle
        if shared["positions"]:
            now["position"] = shared["positions"][fields.get("position", 0) % len(shared["positions"])]
        plays = [*own["plays"].values(), *own["takes"].values(), *own["discards"].values()]
        if plays:
            now["play"] = plays[int(fields.get("play", 0)) % len(plays)]
        known = fields | {name: value for name, value in now.items() if name in fields}
        return messages.CLIENT_DECODER.decode(msgspec.json.encode(known))

    async def go_on(self) -> None:
        """What the table waits for, if it waits: with everybody there and some time it comes to something."""
        if self.table.log.state.status != "playing":
            return
        for person in [*self.people, self.watcher]:
            await self.here(person)
        people = [person for person in self.people if person.seat is not None]
        before = self.table.log.state.number
        if any(person.may for person in people) or self.table.log.state.waiting_for != "play":
            await one_step(self.room, people)
        if self.table.log.state.number == before:
            await self.room.pass_time(130)
        assert self.table.log.state.number > before, f"the table stands still: {people[0].shared}"

    async def all_know_the_same(self) -> None:
        """In the end everybody who is here has been sent the same, and what a newcomer is sent."""
        await self.room.pass_time(TOGETHER_S)
        new = await self.room.join(self.table.id, "Newcomer")
        await self.room.pass_time(TOGETHER_S)
        for person in {*self.people, self.watcher} - self.gone:
            assert still(person) == still(new)
        await new.leave()

    async def is_as_logged(self) -> None:
        """The table in memory is the one that its log describes."""
        live = self.table.log.state
        again = TableState.fold(self.table.id, await self.room.store.entries(self.table.id))
        presence = self.table._broadcaster.presence()
        assert snapshot_of(again, presence) == snapshot_of(live, presence)
        for name in ("votes", "absences", "speed", "ready", "clock", "handled_messages"):
            assert getattr(again, name) == getattr(live, name), name
        assert again.votes.pausers == live.votes.pausers
        assert (again.shuffles.seeds, again.shuffles.cuts) == (live.shuffles.seeds, live.shuffles.cuts)
        assert again.match is not None and live.match is not None
        for seat in [None, *range(len(live.seating))]:
            assert again.match.view(seat) == live.match.view(seat)


def still(person: Person) -> dict[str, Any]:
    """What a person knows of the table, but for times: they run on after they were sent."""
    seats = [
        msgspec.structs.replace(
            one, bot_in_ms=None, replace_in_ms=None, nudge_in_ms=None, vacant_in_ms=None, ask_in_ms=None
        )
        for one in person.shared["seats"]
    ]
    return {**person.shared, "seats": seats, "clock": None, "claim": None}


async def play(room: Room, begun: str, players: int, options: dict[str, Any], steps: list[Step]) -> None:
    """A table, all that happens there, and at the end its log."""
    people = await room.at_play(NAMES[:players], target=2000, **options)
    course = Course(room, people, await room.join(people[0].table.id, "Eve"))
    for each in BEGINNINGS[begun]:
        await course.take(each)
    state = course.table.log.state
    assert begun == ("fewer" if state.status == "playing" and len(state.seating) < players else state.status)
    for each in steps:
        await course.take(each)
    await course.go_on()
    await course.is_as_logged()
    await course.all_know_the_same()
    for person in {*people, course.watcher} - course.gone:
        await person.leave()


@pytest.mark.parametrize("begun", BEGINNINGS)
def test_a_table_outlives_whatever_is_said_there(begun: str, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        room = Room(tmp_path)
        runner.run(room.open())

        @settings(max_examples=depth(2, 8), database=None)
        @given(
            st.integers(3, len(NAMES)),
            st.sampled_from(TABLES),
            st.sampled_from([0.0, TOGETHER_S]),
            st.lists(STEPS, min_size=12, max_size=30),
        )
        def outlives(players: int, options: dict[str, Any], together_s: float, steps: list[Step]) -> None:
            room.tables.services.together_s = together_s
            runner.run(play(room, begun, players, options, steps))

        try:
            outlives()
        finally:
            runner.run(room.close())
