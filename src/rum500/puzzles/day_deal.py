"""The deal of the day: one game, one deck and one seat for everybody, which follow from a date and a seed.

The cards and the random choices of the bots follow from the seed, 32 bytes, by the rules of
`rum500.record.fair`. The person has seat 0, plays first and adds no seed; nobody cuts. A server has a secret
seed for each day; where there is no server, the seed follows from the date.
"""

from __future__ import annotations

import hashlib
import hmac
import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib import resources
from typing import Any

from rum500.match import CutAt, Match, PackOrder
from rum500.puzzles.bot_deals import bot_named
from rum500.record.fair import FairShuffle
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.profiles import profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.state import State

LABEL = "deal of the day"
"""Takes the place of the table's id in the shuffle's context (`rum500.record.fair`)."""
GAMES = 40
"""How many times a bot plays the deal from the person's seat, for comparison; see `DayDeal.played_by`."""
COMPARED = {
    "random": "random",
    "greedy": "greedy",
    "casual": "casual",
    "club": "club",
    "strong": "strong:64",
    "expert": "expert:256",
}
"""The bots that play the deal from the person's seat, by level. Without a time limit, each plays the same on
any machine.
"""
QUICK = ("random", "greedy", "casual", "club")
"""The levels among them that do not search."""


@dataclass(frozen=True, slots=True)
class _Plan:
    first: date
    profile: str
    others: tuple[str, ...]
    level: str
    bots: tuple[int, ...]


@cache
def _plan() -> _Plan:
    data = tomllib.loads((resources.files("rum500.puzzles") / "days.toml").read_text("utf-8"))
    data |= {name: tuple(data[name]) for name in ("others", "bots")}
    return _Plan(**data)


def deal_number(day: date) -> int:
    """Return the number of a day's deal, 1 or more. Raises `ValueError` for a day before the first one.

    >>> deal_number(date(2026, 11, 26))
    330
    """
    number = (day - _plan().first).days + 1
    if number < 1:
        raise ValueError(f"the first deal of the day is that of {_plan().first}; {day} is earlier")
    return number


def seed_of_date(day: date) -> bytes:
    """Return the seed of a day's deal where no server has a secret one: it follows from the date."""
    return hashlib.sha256(f"rum500 {LABEL} {day.isoformat()}".encode()).digest()


@dataclass(frozen=True)
class DayDeal:
    """The deal of a day.

    >>> deal = DayDeal(date(2026, 11, 26), seed_of_date(date(2026, 11, 26)))
    >>> deal.rules.name, deal.players, deal.level
    ('500-rum', 4, 'club')
    """

    day: date
    """The day, in UTC."""
    seed: bytes
    """The seed of the day."""

    @property
    def number(self) -> int:
        """The number of the deal."""
        return deal_number(self.day)

    @property
    def level(self) -> str:
        """The level of the person's opponents and partner."""
        return _plan().level

    @cached_property
    def rules(self) -> Ruleset:
        """The game."""
        plan, number = _plan(), self.number
        return profile_rules(plan.others[number // 2 % len(plan.others)] if number % 2 else plan.profile)

    @property
    def players(self) -> int:
        """The number of players: that of the plan, or the nearest one that the game allows."""
        wanted = 1 + _plan().bots[self.day.weekday()]
        return min(self.rules.players, key=lambda players: (abs(players - wanted), players))

    @cached_property
    def shuffle(self) -> FairShuffle:
        """The shuffle, with the seed and its commitment."""
        return FairShuffle.begin(LABEL, self.number, self.seed).given([""] * self.players)

    @property
    def dealer(self) -> int:
        """The dealer's seat: the last, so that the person plays first.

        With another dealer, a bot would go out before the person's first turn in one Rummy 500 deal of 100.
        """
        return self.players - 1

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards in the order of dealing."""
        return self.shuffle.deck(self.rules.deck(self.players))

    @property
    def bots_seed(self) -> int:
        """The seed of the bots' random choices."""
        message = f"{LABEL} bots\n{self.shuffle.context}\n".encode()
        return int.from_bytes(hmac.digest(self.seed, message, "sha256")[:8])

    def played_by(self, level: str, game: int) -> int:
        """Return the points of seat 0 if a bot of this level plays there.

        In every game the hands and the upcard are those of the deal. Game 0 has the stock of the deal too; in
        the other games the stock has another order, because the level may play without chance.
        """
        rng = Rng(self.bots_seed).spawn(game)
        match, deck = Match.of_one_deal(self.rules, self.players, **self._begins), list(self.deck)
        if game:
            dealt = len(deck) - len(State.new(self.rules, self.players, deck, self.dealer).stock)
            stock = deck[dealt:]
            rng.shuffle(stock)
            deck[dealt:] = stock
        match.apply(PackOrder((*deck[-1:], *deck[:-1])))
        match.apply(CutAt(1))
        seated = [bot_named(COMPARED[level]), *[bot_named(self.level)] * (self.players - 1)]
        while (state := match.state) is not None and not state.is_over:
            match.apply(code_of(seated[state.actor].choose(state.view(state.actor), rng)))
        return match.sheet[-1].points[0]

    @property
    def _begins(self) -> dict[str, Any]:
        return {"dealer": self.dealer, "totals": [0] * self.players, "number": 1}


def quartiles(points: list[int]) -> tuple[float, float]:
    """Return the bounds of the middle half of a bot's points.

    >>> quartiles([10, 20, 30, 40, 50])
    (20.0, 40.0)
    """
    ordered, found = sorted(points), []
    for share in (0.25, 0.75):
        at, rest = divmod(share * (len(ordered) - 1), 1)
        low, high = ordered[int(at)], ordered[min(int(at) + 1, len(ordered) - 1)]
        found.append(low + rest * (high - low))
    return found[0], found[1]
