"""The levels of bots in a game, and the next opponent for a guest by the guest's own results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rum500 import bots
from rum500.bots.staircase import below_first, position_of, steps
from rum500.rules.ruleset import Ruleset
from rum500.server.messages.http import LevelInfo, LevelList, NextOpponent
from rum500.store import ResultRow, TableStore

MOST_MATCHES = 10
"""The number of latest matches against a level that count."""
FEWEST_MATCHES = 3
"""With fewer matches against a level, it stays the next opponent."""
_LOOKED_AT = 100

PlaysHere = Callable[[str, Ruleset, int], bool]
"""Returns whether bots of a level can play here, in a game with a number of players."""


def always(_level: str, _rules: Ruleset, _players: int) -> bool:
    """Return whether bots of a level can play on a server: all can."""
    return True


async def levels_for(
    guest: str | None, store: TableStore, rules: Ruleset, players: int, plays_here: PlaysHere
) -> LevelList:
    """Return the levels of a game that can play here, and the next opponent; None is an unknown guest."""
    rows: Sequence[ResultRow] = ()
    if guest is not None:
        rows = await store.results.of_guest(guest, profile=rules.name, with_people=False, limit=_LOOKED_AT)
    found = [one for one in level_list(rules, players) if plays_here(one.name, rules, players)]
    return LevelList(found, next_opponent(rows, found, rules, players))


def level_list(rules: Ruleset, players: int) -> list[LevelInfo]:
    """Return the levels of a game: those with numbers, then those with names, then bots of this server."""
    numbered, named = bots.numbered_levels(), bots.levels()
    ladder = [level.name for level in (*numbered, *named)]
    places = {position_of(level.name): level.name for level in named}
    found = [
        LevelInfo(level.name, level.number, places.get(position), position)
        for level, position in zip(numbered, steps(rules, players), strict=True)
    ]
    others = [*(level.name for level in named), *(name for name in bots.names() if name not in ladder)]
    return [*found, *(LevelInfo(name, None, None, position_of(name)) for name in others)]


def next_opponent(
    rows: Sequence[ResultRow], levels: Sequence[LevelInfo], rules: Ruleset, players: int
) -> NextOpponent:
    """Return the level to propose to a guest; `rows` are the guest's matches in this game, latest first.

    Levels with a number are proposed, and below the first of them `below_first` where there is one. A match
    counts if it is over, with this number of players, against bots of one of these levels (a named level that
    plays like one with a number counts as that one). Propose the level of the latest such match. But if at
    least `FEWEST_MATCHES` at that level count, take the latest `MOST_MATCHES` of them: propose the next level
    if the guest won more than an even share, or the level before if the guest won less than half of an even
    share. If no match counts, propose the lowest of these levels.
    """
    numbered = [one for one in levels if one.number]
    lowest = below_first(rules, players)
    names = [*([] if lowest is None else [lowest]), *(one.name for one in numbered)]
    places = {name: place for place, name in enumerate(names)}
    places |= {one.also: places[one.name] for one in numbered if one.also}
    counted = [
        (places[row.level], row)
        for row in rows
        if row.players == players and row.status == "over" and row.level in places
    ]
    if not counted:
        return NextOpponent(names[0], "first", None, 0, 0)
    latest = counted[0][0]
    own = [row for place, row in counted if place == latest][:MOST_MATCHES]
    won, accounts = sum(row.won for row in own), own[0].accounts
    step = 0
    if len(own) >= FEWEST_MATCHES:
        step = (won * accounts > len(own)) - (2 * won * accounts < len(own))
    place = min(max(latest + step, 0), len(names) - 1)
    why = "same" if place == latest else "up" if step > 0 else "down"
    if step > 0 and place == latest:
        why = "top"
    return NextOpponent(names[place], why, names[latest], won, len(own))  # type: ignore[arg-type]
