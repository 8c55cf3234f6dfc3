"""Names at a table: no two look alike after somebody joins, leaves or takes another name."""

from __future__ import annotations

import pytest

from rum500.server import messages
from rum500.server.live.log.seats import bot_name, look_alike, unique_name
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.table_state import TableState
from tests.support.live import Person, Room, at_tables
from tests.test_live_tables import done


@pytest.mark.parametrize(
    "other",
    ["ada", " ADA ", "Аda", "Αda", "A\u200dda", "Ａｄａ", "Ad\u0430"],
    ids=["case", "spaces", "cyrillic", "greek", "joiner", "wide", "one letter"],
)
def test_names_that_look_alike(other: str) -> None:
    assert look_alike(other, "Ada")
    assert unique_name(other, ["Ada"]) == f"{other} 2"
    assert bot_name([other]) == "Bruno"


@pytest.mark.parametrize(
    ("one", "other"), [("Jürgen", "Jurgen"), ("Ada", "Ada 2"), ("علی", "عل"), ("Ali", "All")]
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not look_alike(one, other)
    assert unique_name(one, [other]) == one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bill", "BiIl"),
        ("Bill", "Bi1l"),
        ("Mama", "Marna"),
        ("Otto", "0tto"),
        ("علي", "علی"),
        ("Вера", "Bepa"),
    ],
)
def test_names_of_one_script_that_look_alike(one: str, other: str) -> None:
    """Unicode TR 39; the last pair is of two scripts."""
    assert look_alike(one, other) and look_alike(other, one)
    assert unique_name(other, [one]) == f"{other} 2"


def test_there_are_enough_names() -> None:
    names: list[str] = []
    for _ in range(40):
        names.append(bot_name(names))
        assert unique_name("Ada", names) not in names
    assert not any(look_alike(one, other) for one in names for other in names if one is not other)


def names(person: Person) -> list[str]:
    return [seat.name for seat in person.shared["seats"]]


@at_tables
async def test_bot_is_renamed_when_a_guest_has_its_name(room: Room):
    ann = await room.table(players=3, bots=(None, "random", None))
    assert names(ann) == ["Ann", "Ada", ""]
    ada = await room.join(ann.table.id, "ADA")
    done(await ada.ask(messages.Sit))
    assert names(ann) == ["Ann", "Bruno", "ADA"]
    again = TableState.fold(ann.table.id, await room.store.entries(ann.table.id))
    assert [seat.name for seat in again.seats] == ["Ann", "Bruno", "ADA"]
    row = await room.store.table(ann.table.id)
    assert row is not None
    assert '"name":"Bruno"' in row.seats


@at_tables
async def test_a_bot_gives_way_to_a_new_name_in_mid_match(room: Room):
    ann = await room.table(start=True, players=3)
    assert names(ann) == ["Ann", "Ada", "Bruno"]
    room.tables.renamed(Guest("ann", "bruno"))
    await room.settle()
    assert names(ann) == ["bruno", "Ada", "Cleo"]


@at_tables
async def test_second_guest_of_the_same_name_gets_a_number(room: Room):
    ann = await room.table("Ann", players=3)
    twin = Person(room, ann.table, Guest("other", "ann"))
    await twin.join()
    done(await twin.ask(messages.Sit, seat=1))
    assert names(ann) == ["Ann", "ann 2", ""]
    await ann.join()
    await twin.join()
    assert names(ann) == ["Ann", "ann 2", ""]
    done(await ann.ask(messages.Stand))
    await twin.join()
    assert names(twin) == ["", "ann", ""]


@at_tables
async def test_bot_names_after_a_rename_are_the_same_when_reloaded(room: Room):
    """The log has the name somebody sat down with; the one of today comes with the person."""
    ann = await room.table("Ada", players=3)
    room.tables.renamed(Guest("ada", "Zoe"))
    await room.settle()
    done(await ann.ask(messages.SeatBot, seat=1, level="random"))
    assert names(ann) == ["Zoe", "Ada", ""]
    await room.crash()
    ben = await room.join(ann.table.id, "Ben")
    assert names(ben) == ["Ada", "Bruno", ""]


@at_tables
async def test_spectator_cannot_chat_under_a_players_name(room: Room):
    ann, ben = await room.at_play()
    liar = Person(room, ann.table, Guest("liar", "BEN"))
    await liar.join()
    done(await liar.ask(messages.Chat, text="I resign"))
    done(await ben.ask(messages.Chat, text="I do not"))
    said = [(message.name, message.seat) for message in ann.got if isinstance(message, messages.ChatLine)]
    assert said == [("BEN 2", None), ("Ben", ben.seat)]
