"""A played deal as a list of actions, each with the choices of `club` and `casual` in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import SupportsIndex, TypeVar

from rum500.ai.heuristic_levels import policy
from rum500.ai.outcomes import Outcomes
from rum500.ai.policy import Policy, SeatPolicies
from rum500.bots.search_bot import MOST_THREADS
from rum500.record import Record
from rum500.rng import Rng
from rum500.rules.action_codes import encode
from rum500.rules.ruleset import Ruleset
from rum500.state import State
from rum500.values import whole_number

KINDS = ("club", "casual")
"""The kinds of players that rollouts can model; play is measured against the first."""
T = TypeVar("T")
Task = Callable[[Outcomes], T]
"""A measurement that depends on no other, so that any thread may run it."""


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """An action of a played deal."""

    number: int
    """The number of the action in the deal, from 1."""
    before: State
    """The deal before the action."""
    played: int
    """The code of the action."""
    club: int
    """The code of the action that `club` would have chosen."""
    casual: int
    """The code of the action that `casual` would have chosen."""
    free: bool
    """Whether the seat's player decided: more than one action was legal, and no stand-in chose."""

    @property
    def differs(self) -> bool:
        """Whether the player decided, and chose another action than `club`."""
        return self.free and self.played != self.club

    @property
    def leaning(self) -> int:
        """1 if the player chose like `casual` but not like `club`, -1 for the reverse, else 0."""
        return (self.is_like("casual") - self.is_like("club")) * self.free

    def is_like(self, kind: str) -> bool:
        """Return whether a player of this kind, one of `KINDS`, would have chosen the same action."""
        return self.played == (self.club if kind == KINDS[0] else self.casual)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal of a record, finished or not."""

    number: int
    """The number of the deal in the record, from 1."""
    rules: Ruleset
    """The rules of the game."""
    choices: tuple[PlayedAction, ...]
    """All actions, in order."""
    final: State
    """The deal after the last action."""

    @classmethod
    def of(cls, record: Record, number: int) -> PlayedDeal:
        """Replay a deal of a record, counted from 1.

        The plays of stand-ins (`DealRecord.stand_ins`) count as nobody's decisions. Raises `IllegalPlay` or
        `ValueError` if the record is not correct, and `IndexError` if there is no such deal.
        """
        (number,) = deal_numbers(record, [number])
        club, casual = (policy(record.rules, record.players, kind) for kind in KINDS)
        choices, stand_ins = [], record.deals[number - 1].stand_ins
        for step in record.replay(number):
            played, several = encode(step.action), len(step.state.legal_ints()) > 1
            usual = [kind.choice(step.state.core) if several else played for kind in (club, casual)]
            free = several and step.number not in stand_ins
            choices.append(PlayedAction(step.number, step.state, played, usual[0], usual[1], free))
        return cls(number, record.rules, tuple(choices), record.final(number))

    def after(self, index: int) -> State:
        """Return the deal after the action at this index of `choices`."""
        return self.choices[index + 1].before if index + 1 < len(self.choices) else self.final

    def kinds(self) -> tuple[int, ...]:
        """Return, by seat, how many more choices were like `casual` than like `club`.

        Only decisions count in which these two bots choose differently.
        """
        lead = [0] * self.final.players
        for choice in self.choices:
            lead[choice.before.actor] += choice.leaning
        return tuple(lead)

    def kinds_shown(self, before: Sequence[str]) -> list[tuple[str, ...]]:
        """Return, for each action, the kind of each seat's player, judged by this and all earlier actions.

        A seat has the kind that it resembled more often in decisions where `club` and `casual` differ. While
        it resembled both equally often, it has its kind in `before`, which has one kind for each seat.
        """
        kinds, lead, found = list(before), [0] * self.final.players, []
        for choice in self.choices:
            seat = choice.before.actor
            lead[seat] += choice.leaning
            kinds[seat] = KINDS[lead[seat] > 0] if lead[seat] else before[seat]
            found.append(tuple(kinds))
        return found

    def seed(self, stream: int, number: int) -> int:
        """Return the seed of a measurement at action `number`. It does not depend on hidden cards.

        Different kinds of measurements have different values of `stream`.
        """
        return Rng(stream).spawn(self.number, number).next64()


def deal_numbers(record: Record, numbers: Sequence[SupportsIndex] | None) -> list[int]:
    """Return `numbers` as plain integers; for None, return the numbers of all deals of the record.

    Raises `IndexError` if the record has no such deal, and `TypeError` for numbers that are not integers.
    """
    found = range(1, len(record.deals) + 1) if numbers is None else map(index, numbers)
    for number in (chosen := list(found)):
        if not 1 <= number <= len(record.deals):
            raise IndexError(f"the record has {len(record.deals)} deals, and no deal {number}")
    return chosen


def check_seat(seat: int, players: int) -> None:
    """Raise `IndexError` if this number of players has no such seat."""
    if not 0 <= seat < players:
        raise IndexError(f"there are seats 0 to {players - 1}, and no seat {seat}")


def margins(points: Sequence[int | Fraction], rules: Ruleset) -> tuple[Fraction, ...]:
    """Return each seat's margin from points by seat: the seat's points less the mean of all other seats.

    In partnerships a margin is the side's points less the other side's, the same for both partners. Margins
    of all seats add up to 0.

    >>> from rum500.rules.profiles import ruleset
    >>> [float(margin) for margin in margins([30, 0, 15], ruleset("500-rum"))]
    [22.5, -22.5, 0.0]
    """
    total, seats = Fraction(sum(points)), range(len(points))
    if rules.sides:
        sides = [sum(points[seat] for seat in seats if rules.side(seat) == side) for side in (0, 1)]
        return tuple(2 * sides[rules.side(seat)] - total for seat in seats)
    return tuple((len(points) * points[seat] - total) / (len(points) - 1) for seat in seats)


def kinds_elsewhere(deals: Sequence[PlayedDeal]) -> list[tuple[str, ...]]:
    """Return, for each of these deals, the kind that each seat's play in the other deals shows.

    A seat is `casual` if it chose like `casual` more often than like `club`, where these two differ, `club`
    if less often, and empty if neither. The deal itself is left out, so that its cards do not affect how its
    luck is measured.
    """
    leads = [deal.kinds() for deal in deals]
    whole = [sum(lead) for lead in zip(*leads, strict=True)]
    return [
        tuple(kind_by_lead(all_of_it - own) for all_of_it, own in zip(whole, lead, strict=True))
        for lead in leads
    ]


def kind_by_lead(lead: int) -> str:
    """Return the kind that a sum of `PlayedDeal.kinds` (`lead`) shows: `club`, `casual`, or empty if 0."""
    return KINDS[lead > 0] if lead else ""


def measure(tasks: Sequence[Task[T]], rules: Ruleset, kinds: Sequence[str], threads: int = 1) -> list[T]:
    """Run these measurements in threads and return their results in order.

    Each seat plays by its kind, one of `KINDS`. The results do not depend on the number of threads. Raises
    `ValueError` if `threads` is out of range.
    """
    threads = whole_number("the number of threads", threads, 1, MOST_THREADS)

    def work(first: int) -> list[T]:
        outcomes = Outcomes(SeatPolicies(seated(rules, kinds)))
        return [task(outcomes) for task in tasks[first::threads]]

    with ThreadPoolExecutor(threads) as pool:
        shares = list(pool.map(work, range(threads)))
    return [shares[index % threads][index // threads] for index in range(len(tasks))]


def measure_by_kinds(
    tasks: Sequence[tuple[tuple[str, ...], Task[T]]], rules: Ruleset, threads: int = 1
) -> list[T]:
    """Run measurements as `measure` does; `tasks` pairs each of them with its kinds of players by seat."""
    found: dict[int, T] = {}
    for kinds in dict.fromkeys(kinds for kinds, _ in tasks):
        own = [i for i, (its, _) in enumerate(tasks) if its == kinds]
        found |= zip(own, measure([tasks[i][1] for i in own], rules, kinds, threads), strict=True)
    return [found[i] for i in range(len(tasks))]


def against(kinds: Sequence[str], seat: int) -> tuple[str, ...]:
    """Return these kinds by seat, but `club` at `seat`, whose play is measured against the others."""
    return tuple(KINDS[0] if other == seat else kind for other, kind in enumerate(kinds))


def seated(rules: Ruleset, kinds: Sequence[str]) -> list[Policy]:
    """Return the policies of these kinds by seat, for one thread."""
    made = {kind: policy(rules, len(kinds), kind) for kind in set(kinds)}
    return [made[kind] for kind in kinds]
