"""A bot's random numbers reveal no card: no seed can be computed from them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations

import pytest

from rum500 import View, bots, deal, ruleset
from rum500.cli.terminal.terminal_table import _BOT_STREAM, TerminalTable
from rum500.external_bots import check_bot
from rum500.match import Match
from rum500.rng import Rng, advance, mix64
from rum500.server.live.table import LiveTable
from rum500.sim import simulate
from rum500.sim.arena import arena
from tests.support.live import AtOnce, Room, at_tables

RULES = ruleset("500-rum")
ALL = 1 << 64
FACTORS = ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1))
"""What SplitMix64 shifts and multiplies by, from the end to the beginning."""


def unmixed(x: int) -> int:
    """The number that was advanced and mixed to this one."""
    for shift, factor in FACTORS:
        y = x
        for _ in range(64 // shift):
            y = x ^ (y >> shift)
        x = y * pow(factor, -1, ALL) % ALL
    return (x - advance(0)) % ALL


def unspawned(state: int, *keys: int) -> int:
    """The seed of which `Rng.spawn` with these keys made a stream that begins here."""
    for key in reversed(keys):
        state = unmixed(state) ^ mix64(advance(key))
    return unmixed(state)


def seeds_of(state: int, *shown: int) -> Iterator[int]:
    """Every seed of which a stream with some of these keys, in any order, may begin or go on like this."""
    for keys in chain.from_iterable(permutations(shown, count) for count in range(len(shown) + 1)):
        for start in (state, unmixed(state), Rng(state).next64()):
            yield unspawned(start, *keys)


class Seedreader:
    """Turns its chance back into seeds, and keeps those that deal it the hand it holds."""

    name = "seedreader"
    found: list[int] = []  # noqa: RUF012 - every one of them writes here

    def choose(self, view: View, rng: Rng) -> int:
        if not view.past[1:]:
            first = Rng(rng.state).next64()
            for start in (rng.state, unmixed(first), first):
                seed = unspawned(start, view.seat)
                mine = deal(view.rules, view.players, seed=seed, dealer=view.dealer).view(view.seat)
                if mine.hand == view.hand:
                    self.found.append(seed)
        return view.legal[0]


@pytest.fixture(autouse=True)
def nothing_found():
    Seedreader.found.clear()


def test_a_stream_of_the_deals_seed_would_tell_the_cards():
    for seed in (1, 2, 1 << 63):
        state = deal(RULES, 2, seed=seed)
        Seedreader().choose(state.view(state.actor), Rng(seed).spawn(state.actor))
        assert Seedreader.found.pop() == seed


def test_simulated_deal_gives_bots_no_hint_of_its_cards():
    simulate(RULES, 2, 5, 3, [Seedreader(), "random"])
    arena(RULES, [Seedreader(), "random"], 5, 3, unit="deal")
    check_bot(Seedreader, deals=1, profiles=["500-rum"])
    assert not Seedreader.found


def test_choices_at_the_terminal_reveal_no_seed():
    states = []

    class Noting:
        name = "noting"

        def choose(self, view: View, rng: Rng) -> int:
            states.append(rng.state)
            return view.legal[0]

    table = TerminalTable(Match(RULES, 2, Rng(5)), [Noting(), Noting()], 5)
    while len(states) < 20:
        answer = table.bots_answer()
        assert answer is not None
        table.apply(answer)
    assert unspawned(Rng(5).spawn(_BOT_STREAM, 7).state, _BOT_STREAM, 7) == 5
    assert 5 not in {unspawned(state, _BOT_STREAM, turn) for state in states for turn in range(60)}


class Noting(AtOnce):
    """Notes what a table hands to its bots, and what it then knows of that they may not know."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.handed: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []

    def choose(self, level: str, view: View, chance: Rng, done: object, who: object) -> int:
        (table,) = self.room.tables._live.values()
        assert view.seat is not None
        self.handed.append((chance.state, (1, table.log.state.number, view.seat), secrets_of(table)))
        return super().choose(level, view, chance, done, who)


def secrets_of(table: LiveTable) -> tuple[int, ...]:
    """The table's secret, and the seed of its present shuffle as a generator would take it."""
    assert table.log.state.shuffles.last is not None
    return table.log.state.secret, int(table.log.state.shuffles.last.seed, 16) % ALL


@at_tables
async def test_choices_at_a_live_table_reveal_no_secret(room: Room):
    noting = room.tables.services.executor = Noting(room)
    await room.table(start=True, players=3, bots=("greedy", "random", "greedy"))
    await room.pass_time(10)
    assert len(noting.handed) > 50 and len({state for state, *_ in noting.handed}) == len(noting.handed)
    for state, keys, secrets in noting.handed:
        assert all(secret in seeds_of(Rng(secret).spawn(*keys).state, *keys) for secret in secrets)
        assert not set(secrets) & set(seeds_of(state, *keys))


def test_every_seat_has_a_chance_of_its_own():
    states = {bots.rng_for(seed, seat).state for seed in range(20) for seat in range(8)}
    assert len(states) == 160 and bots.rng_for(7, 1).state == bots.rng_for(7, 1).state
    with pytest.raises(ValueError, match="a seed is from 0"):
        bots.rng_for(-1, 0)
