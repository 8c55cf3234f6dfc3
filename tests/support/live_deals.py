"""Prepared deals on live tables, and the people who play them."""

from __future__ import annotations

from rum500 import State
from rum500.server import messages
from tests.support.live import Person, Room, rig
from tests.support.table import table


async def look(*people: Person) -> None:
    """Let these people connect again, so that they receive the prepared deal."""
    for person in people:
        await person.join()


def undo_deal() -> State:
    """Return a deal in which seat 0 of two must draw; it holds a run, and a queen for those in the pile."""
    return table(
        "500-rum", ["6S 7S 8S QD 2C KC", "3D 4D 9C JH 5C"], pile="QS QH AC", stock="2H 3H 4H", turn=0
    )


async def in_turn(room: Room, *names: str, **options: object) -> list[Person]:
    """Return people at play, by default two, the one in turn first."""
    people = await room.at_play(names or ("Ann", "Ben"), **options)
    return sorted(people, key=lambda person: not person.may)


async def play_deal(people: list[Person]) -> None:
    """Let these people play until the score sheet is shown."""
    while people[0].shared["waiting_for"] != "next":
        await next(person for person in people if person.may).move()


async def alone(room: Room, **options: object) -> Person:
    """Return a person with a bot, in the deal `undo_deal`."""
    person = await room.table(start=True, bots=(None, "greedy"), **options)
    await room.deal([person])
    rig(person.table, undo_deal())
    await look(person)
    return person


async def two(room: Room) -> tuple[Person, Person]:
    """Return two people in the deal `undo_deal`: first the one who must draw."""
    people = await room.at_play()
    rig(people[0].table, undo_deal())
    await look(*people)
    first, second = sorted(people, key=lambda person: person.seat or 0)
    return first, second


async def clocked(room: Room, *names: str, **options: object) -> list[Person]:
    """Return people as `in_turn`, at a table with 20 s a turn and a bank of 60 s."""
    return await in_turn(room, *names, turn_s=20, bank_s=60, **options)


def claim_deal(turn: int = 0, players: int = 4, variations: tuple[str, ...] = ()) -> State:
    """Return a deal in which `turn` has drawn and holds 9S, which others may call once discarded."""
    hands = ["KC 9S 2D", "3C 4H JD", "5C 7H QD", "8C 2H KD"]
    hands = hands[-turn:] + hands[:-turn] if turn else hands
    melds = [(turn, "6S 7S 8S")]
    return table(
        table("500-rum", ["2S"] * 2).rules.changed(house_rules=("H6",), variations=variations),
        hands[:players],
        pile="4C",
        melds=melds,
        turn=turn,
        phase="play",
    )


async def four_claiming(
    room: Room, bots: tuple[str | None, ...] = (), variations: tuple[str, ...] = (), **options: object
) -> list[Person]:
    """Return people, by seat, before a discard that all others may call."""
    names = ("Ann", "Ben", "Cleo", "Dan")[: 4 - sum(bot is not None for bot in bots)]
    chosen = {"players": 4, "house_rules": ["H6"], "variations": list(variations), "claim_s": 8}
    host = await room.table("Ann", bots=bots, **chosen | options)
    people = [host, *[await room.join(host.table.id, name) for name in names[1:]]]
    for person in people[1:]:
        await person.ask(messages.Sit)
    await host.ask(messages.Start)
    await room.deal(people)
    rig(host.table, claim_deal(turn=host.seat, variations=variations))
    await look(*people)
    return people
