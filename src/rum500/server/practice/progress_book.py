"""How a guest gets on: points a deal, the stairs of levels, deeds, and days in a row."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from rum500.puzzles.ratings import Rating
from rum500.rules.profiles import STANDARD, profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.server.live.finished.deeds import DEEDS, DEEDS_VERSION
from rum500.server.live.log.entries import LogError
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages.http import LevelInfo
from rum500.server.messages.progress import DeedProgress, LevelStep, Progress
from rum500.server.messages.table_error import TableError
from rum500.server.practice.day_book import DayBook, streak_at
from rum500.server.practice.level_place import number_of, place_of, rating_of
from rum500.server.practice.long_deeds import LONG_DEEDS, Past
from rum500.server.practice.next_opponent import PlaysHere, always, levels_for
from rum500.server.practice.progress_figures import (
    STEP_DEALS,
    by_game,
    club_points,
    course_of,
    stairs_of,
    trend_of,
)
from rum500.server.work_scheduler import Asker, Busy
from rum500.store import Achievement, ResultRow, StoreError, TableStore

AT_ONCE = 20
"""The number of matches that are examined before the answer; the others are examined after it."""
_EVERY = 1_000_000


class ProgressBook:
    """The progress of the guests. Figures come from results and logs; what was reached is stored."""

    def __init__(
        self,
        store: TableStore,
        tables: TableRegistry,
        days: DayBook,
        plays_here: PlaysHere = always,
    ) -> None:
        """Set the parts."""
        self._store = store
        self._tables = tables
        self._days = days
        self._plays_here = plays_here
        self._examining: dict[str, asyncio.Task[None]] = {}

    async def shown(self, guest: str, who: Asker, profile: str | None, players: int | None) -> Progress:
        """Return a guest's progress; with `profile` and `players`, in this game instead of the usual one.

        Raises `RulesetError` for an unknown game or a wrong number of players.
        """
        await self._tables.save_results(guest, who)
        waiting = await self._examine_some(guest, who)
        rows = await self._store.results.of_guest(guest, limit=_EVERY)
        over = [row for row in reversed(rows) if row.status == "over"]
        games = by_game(over)
        usual = next((game for game in games if profile in (None, game.profile)), None)
        rules = profile_rules(profile or (usual.profile if usual else STANDARD))
        players = players or (usual.players if usual else rules.players[0])
        rules.check_players(players)
        played = [row for row in over if (row.profile, row.players) == (rules.name, players)]
        reached = {one.name: one for one in await self._store.results.achievements(guest)}
        choice = await levels_for(guest, self._store, rules, players, self._plays_here)
        stairs = await self._stairs(guest, played, rules, players, choice.levels, reached)
        following = next((step for step in stairs if step.level == choice.next.level), None)
        past = await self._past(guest, rows)
        standings = [(one, one.find(past, one.goal)) for one in LONG_DEEDS]
        new = [each.reached for one, each in standings if each.reached and one.name not in reached]
        await self._store.results.reach(new)
        reached |= {one.name: one for one in new}
        days = past.attempts.keys()
        return Progress(
            waiting=waiting,
            matches=len(over),
            won=sum(row.won for row in over),
            even=sum(1 / row.accounts for row in over),
            deals=sum(row.deals for row in over),
            streak=streak_at(days, self._days.today.toordinal()),
            best_streak=max((streak_at(days, day) for day in days), default=0),
            games=games,
            profile=rules.name,
            title=rules.title,
            players=players,
            course=course_of(played),
            trend=trend_of(played),
            club=club_points(played, rules, players),
            stairs=stairs,
            next=choice.next,
            to_go=None if following is None or following.filled else max(0, STEP_DEALS - following.deals),
            place=place_of(rating_of(played, rules, await self._others(guest, played, rules))),
            deeds=await self._deeds(reached, {one.name: (each.far, one.goal) for one, each in standings}),
        )

    async def deeds_at(self, guest: str, table: str, who: Asker) -> list[str]:
        """Return the names of the deeds that a guest did for the first time in an ended match."""
        if table in await self._store.results.unexamined(guest, DEEDS_VERSION):
            await self._examine(guest, table, who)
        found = await self._store.results.achievements(guest)
        return [one.name for one in found if one.table_id == table]

    # --- parts ----------------------------------------------------------------------------------------

    async def _past(self, guest: str, rows: Sequence[ResultRow]) -> Past:
        attempts = await self._store.day_deals.of_guest(guest)
        over = {one.day: one for one in attempts if one.status == "over"}
        clubs = await self._store.day_deals.bots(list(over))
        return Past(
            guest,
            await self._store.reviews.sums(guest),
            {row.table_id: row for row in rows},
            over,
            {day: sum(points) / len(points) for (day, level), points in clubs.items() if level == "club"},
        )

    async def _stairs(
        self,
        guest: str,
        played: Sequence[ResultRow],
        rules: Ruleset,
        players: int,
        levels: Sequence[LevelInfo],
        reached: Collection[str],
    ) -> list[LevelStep]:
        """Return the steps in a game, and store those that are filled for the first time."""
        prefix = f"step:{rules.name}:{players}:"
        before = {
            number_of(name.removeprefix(prefix), rules, players)
            for name in reached
            if name.startswith(prefix)
        }
        stairs = stairs_of(played, rules, players, levels, before)
        new = [
            Achievement(
                guest_id=guest, name=prefix + step.level, at=played[-1].ended, profile=rules.name,
                title=rules.title, table_id=None, deal=0, frame=0,
            )
            for step in stairs
            if step.filled and number_of(step.level, rules, players) not in before
        ]  # fmt: skip
        await self._store.results.reach(new)
        return stairs

    async def _deeds(
        self, reached: Mapping[str, Achievement], standings: Mapping[str, tuple[int, int]]
    ) -> list[DeedProgress]:
        """Return all deeds in their order; a table that was removed is left out."""
        found = []
        for name in (*(one.name for one in DEEDS), *(one.name for one in LONG_DEEDS)):
            proof, (count, goal) = reached.get(name), standings.get(name, (None, None))
            table = None if proof is None else proof.table_id
            there = table is not None and await self._store.table(table) is not None
            found.append(
                DeedProgress(
                    name=name,
                    at=None if proof is None else proof.at,
                    profile=None if proof is None else proof.profile,
                    title=None if proof is None else proof.title,
                    table=table if there else None,
                    deal=0 if proof is None else proof.deal,
                    frame=0 if proof is None else proof.frame,
                    count=count,
                    of=goal,
                )
            )
        return found

    async def _others(
        self, guest: str, played: Sequence[ResultRow], rules: Ruleset
    ) -> dict[str, list[Rating]]:
        """Return the ratings of the other people at each table, from their own matches against bots."""
        known: dict[str, Rating] = {}
        found: dict[str, list[Rating]] = {}
        for row in played:
            table = await self._store.table(row.table_id) if row.with_people else None
            for other in () if table is None else table.people:
                if other == guest:
                    continue
                if other not in known:
                    theirs = await self._store.results.of_guest(other, profile=rules.name, limit=_EVERY)
                    over = [one for one in reversed(theirs) if one.status == "over"]
                    alike = [one for one in over if one.players == row.players]
                    known[other] = rating_of(alike, rules) or Rating()
                found.setdefault(row.table_id, []).append(known[other])
        return found

    # --- examining matches ----------------------------------------------------------------------------

    async def _examine_some(self, guest: str, who: Asker) -> int:
        """Examine some of a guest's matches, and the others in the background; return how many are left."""
        tables = await self._store.results.unexamined(guest, DEEDS_VERSION)
        for table in tables[:AT_ONCE]:
            await self._examine(guest, table, who)
        left = tables[AT_ONCE:]
        if left and guest not in self._examining:
            task = asyncio.get_running_loop().create_task(self._examine_all(guest, left, who))
            self._examining[guest] = task
            task.add_done_callback(lambda _: self._examining.pop(guest, None))
        return len(left)

    async def _examine_all(self, guest: str, tables: Sequence[str], who: Asker) -> None:
        try:
            for table in tables:
                await self._examine(guest, table, who)
        except (Busy, StoreError, TableError) as error:
            log().warning("progress.unexamined", error=error)  # the next request continues

    async def _examine(self, guest: str, table: str, who: Asker) -> None:
        """Store what the log of an ended match holds of a guest.

        The match counts as examined even if the log cannot be read, or was removed.
        """
        try:
            found = await self._tables.examined(table, who)
        except LogError as error:
            log().warning("table.unreadable", table=shown(table), error=error)
            found = []
        names = {guest, *await self._store.former(guest)}  # logs keep the ids of merged guests
        own = next((one for one in found if one.guest in names), None)
        by_deal = [] if own is None else own.by_deal
        reached = [] if own is None else [replace(one, guest_id=guest) for one in own.reached]
        await self._store.results.save_examined(guest, table, DEEDS_VERSION, by_deal, reached)

    async def close(self) -> None:
        """Stop examining matches."""
        for task in self._examining.values():
            task.cancel()
        await asyncio.gather(*self._examining.values(), return_exceptions=True)
