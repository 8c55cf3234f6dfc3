"""Which rows belong to a guest: every table of the schema is declared, and what derives from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, LargeBinary, insert, select, update

from rum500.store import Store
from rum500.store.guest_data import OF_GUESTS, OF_NOBODY, OF_TABLES, GuestRows
from rum500.store.schema import day_attempts, guests, metadata, people, puzzle_answers, results
from tests.support.storing import row, with_store
from tests.test_store_parts import result

_BY_TYPE: dict[type, object] = {
    BigInteger: 7, Boolean: True, Float: 1.5, Integer: 7, LargeBinary: b"\0",
}  # fmt: skip


def value_of(column: Column[Any]) -> object:
    """Return any value for a column, the same for all rows."""
    kind = next((each for each in _BY_TYPE if isinstance(column.type, each)), None)
    return column.name if kind is None else _BY_TYPE[kind]


async def put(store: Store, table: Any, **given: Any) -> None:
    """Add a row with these values, and any values in the other columns."""
    values = {column.name: value_of(column) for column in table.columns if column.name != "row"} | given
    await store._change(statements=[(insert(table), values)])


async def put_own(store: Store, rows: GuestRows, guest: str) -> None:
    """Add a row of a guest. Where the guest is no part of the key, the key is another for each guest."""
    given = {each.guest: guest for each in OF_GUESTS if each.table is rows.table}
    if not rows.owner.primary_key:
        key = next(key.name for key in rows.table.primary_key if key.name not in given)
        given[key] = f"{rows.guest} {guest}"
    await put(store, rows.table, **given)


async def owners(store: Store, rows: GuestRows) -> list[str]:
    return [guest for (guest,) in await store._read(select(rows.owner).distinct().order_by(rows.owner))]


def test_every_table_of_the_schema_says_whether_it_has_rows_of_guests() -> None:
    declared = [*{rows.table for rows in OF_GUESTS}, *OF_TABLES, *OF_NOBODY]
    assert sorted(declared, key=str) == sorted(metadata.sorted_tables, key=str)
    for table in OF_NOBODY:
        assert not [name for name in table.columns.keys() if "guest" in name], table.name  # noqa: SIM118
    for rows in OF_GUESTS:
        named = {*rows.added, *rows.secret, *filter(None, (rows.used, rows.earliest, rows.guest))}
        assert named <= set(rows.table.columns.keys()), rows.table.name


NO_LEAGUES: dict[str, list[str]] = {"leagues.host_id": []}
"""Leagues are pruned by their own use."""


async def all_owners(store: Store) -> dict[str, list[str]]:
    return {str(rows.owner): await owners(store, rows) for rows in OF_GUESTS}


def everywhere(*guests: str) -> dict[str, list[str]]:
    return {str(rows.owner): list(guests) for rows in OF_GUESTS}


async def put_all(store: Store, *guests: str) -> None:
    """Add a row of each table for each guest."""
    for rows in {rows.table: rows for rows in reversed(OF_GUESTS)}.values():
        for guest in guests:
            await put_own(store, rows, guest)


def test_rows_are_removed_with_their_guest_and_no_others(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await put_all(store, "ann", "ben")
        await store.guest_data.delete("ann", 50)
        assert await all_owners(store) == everywhere("ben") | {"leagues.host_id": ["", "ben"]}
        gone = await store.guest("ann")
        assert gone is not None
        assert (gone.name, gone.valid_from) == ("", 50)

    with_store(place, work)


def test_unused_rows_are_pruned_and_rows_of_a_guest_who_was_here_stay(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await put_all(store, "ann", "ben")
        await store.save_guest("ben", "Ben", 200)
        await store.prune(100)
        assert await all_owners(store) == everywhere("ben") | NO_LEAGUES

    with_store(place, work)


def test_a_row_that_was_used_lately_keeps_all_rows_of_its_guest(place: Path | str) -> None:
    async def work(store: Store) -> None:
        for used in (rows for rows in OF_GUESTS if rows.used is not None):
            await put_all(store, "ann", "ben")
            assert used.used is not None
            await store._change(
                statements=[(update(used.table).where(used.owner == "ben").values({used.used: 300}), None)]
            )
            await store.prune(100)
            assert await all_owners(store) == everywhere("ben") | NO_LEAGUES, used.table.name
            await store.guest_data.delete("ben", 0)

    with_store(place, work)


def test_rows_of_two_merged_guests_belong_to_one(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await put_all(store, "ben", "cleo")
        await store.guest_data.merge("ben", "ann", 50)
        brief = {str(rows.owner): ["cleo"] for rows in OF_GUESTS if rows.brief}
        assert await all_owners(store) == everywhere("ann", "cleo") | brief
        assert (await store.guest("ben")).valid_from == 50  # type: ignore[union-attr]
        await put_all(store, "dan")  # with the same keys: of two such rows, one stays
        await store.guest_data.merge("dan", "ann", 60)
        assert await all_owners(store) == everywhere("ann", "cleo") | brief

    with_store(place, work)


@pytest.mark.parametrize(("first", "kept"), [(3, 3), (9, 5)])
def test_of_two_attempts_at_a_day_the_earlier_one_stays(place: Path | str, first: int, kept: int) -> None:
    """Otherwise a player could play the day as two guests, and keep the better result."""

    async def work(store: Store) -> None:
        for table in (day_attempts, puzzle_answers):
            await put(store, table, guest_id="ann", at=5)
            await put(store, table, guest_id="ben", at=first)
        await store.guest_data.merge("ben", "ann", 50)
        for table in (day_attempts, puzzle_answers):
            assert await store._read(select(table.c.guest_id, table.c.at)) == [("ann", kept)]

    with_store(place, work)


def test_of_two_results_of_one_table_that_of_the_guest_who_remains_is_kept(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.create_table(row("t", people=["ann", "ben"]))
        for guest, points in (("ann", 100), ("ben", 500)):
            await put(store, results, guest_id=guest, table_id="t", points=points)
        await store.guest_data.merge("ben", "ann", 50)
        assert await store._read(select(results.c.guest_id, results.c.points)) == [("ann", 100)]
        assert await store._read(select(people.c.guest_id)) == [("ann",)]

    with_store(place, work)


def test_results_of_an_old_match_are_those_of_guests_who_are_still_there(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.create_table(row("t1", people=["ann", "ben", "cat", "dan", "eve"], status="over"))
        await store.guest_data.delete("ben", 50)
        await store.guest_data.merge("cat", "kim", 50)
        await store.guest_data.merge("dan", "eve", 50)
        await store.results.remove("eve", "t1")
        await store.guest_data.merge("zoe", "ann", 50)
        rows = [
            replace(result("t1", points=at), guest_id=guest)
            for at, guest in enumerate(["zoe", "ann", "ben", "cat", "dan", "eve"])
        ]
        await store.results.save_missing("t1", rows)
        kept = await store._read(select(results.c.guest_id, results.c.points).order_by(results.c.guest_id))
        assert kept == [("ann", 1), ("kim", 3)]

    with_store(place, work)


def test_numbers_of_two_guests_are_added_up_where_that_is_declared(place: Path | str) -> None:
    rows = GuestRows(table=results, added=("points", "deals"))

    async def work(store: Store) -> None:
        for guest, points in (("ann", 100), ("ben", 500), ("cleo", 9)):
            await put(store, results, guest_id=guest, points=points, deals=2, place=1)
        await store._change(statements=list(rows.moves("ben", "ann")))
        found = await store._read(
            select(results.c.guest_id, results.c.points, results.c.deals, results.c.place)
        )
        assert sorted(map(tuple, found)) == [("ann", 600, 4, 1), ("cleo", 9, 2, 1)]

    with_store(place, work)


def test_a_name_stays_with_the_guest_who_remains(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.save_guest("ann", "Ann", 1)
        await store.save_guest("ben", "Ben", 2)
        await store.guest_data.merge("ben", "ann", 50)
        names = await store._read(select(guests.c.id, guests.c.name).order_by(guests.c.id))
        assert names == [("ann", "Ann"), ("ben", "")]

    with_store(place, work)


def test_an_export_has_all_rows_and_neither_ids_nor_secrets(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await put_all(store, "ann", "ben")
        found = await store.guest_data.export("ann")
        exported = [rows for rows in OF_GUESTS if rows.exported]
        assert set(found) == {rows.table.name for rows in exported}
        for rows in exported:
            (one,) = found[rows.table.name]
            assert not {rows.guest, *rows.secret} & set(one)
        assert found["day_attempts"][0]["points"] == 7

    with_store(place, work)
