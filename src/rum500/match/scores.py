"""The score sheet: what each deal brought, when a match is over, and how it is settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rum500.record import Outcome
from rum500.rules.actions import Laid
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points
from rum500.view import Event, MeldView, Result


@dataclass(frozen=True, slots=True)
class DealScore:
    """A row of the score sheet.

    `result` is by seat; `seating` says which player sat at each seat. `points` (of this deal) and
    `totals` (after it) are by account: by side where there are sides, else by seat (R-MATCH-5).
    """

    number: int
    dealer: int
    seating: tuple[int, ...]
    result: Result
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Payment:
    """What losers owe winners, in points; both are tuples of players (a side pays once, D30)."""

    payer: tuple[int, ...]
    payee: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Standing:
    """An account at the end: its players, its total, and whether they gave up the match."""

    players: tuple[int, ...]
    total: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended.

    `reason` is `target`, `deals`, `max_deals` or `forfeit`. `winners` are players, none if it is
    `drawn`. `standings` go by account in seat order, those who left at the end of the list; `totals`
    are theirs without the `bonus`, which the winner's `final` has in it. `margins` are what the winner's
    final total (in a draw the best) is ahead of each (D17), and `payments` what changes hands where the
    rules settle so.
    """

    reason: str
    winners: tuple[int, ...]
    drawn: bool
    bonus: int
    standings: tuple[Standing, ...]
    final: tuple[int, ...]
    margins: tuple[int, ...]
    payments: tuple[Payment, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """Totals by account, the bonus not in them."""
        return tuple(standing.total for standing in self.standings)


def by_account(rules: Ruleset, points: Sequence[int]) -> tuple[int, ...]:
    """Points by seat, added up by side where there are sides."""
    if not rules.sides:
        return tuple(points)
    return tuple(sum(points[side :: rules.sides]) for side in range(rules.sides))


def by_seat(rules: Ruleset, accounts: Sequence[int], players: int) -> tuple[int, ...]:
    """Totals by seat, partners alike."""
    if not rules.sides:
        return tuple(accounts)
    return tuple(accounts[rules.side(seat)] for seat in range(players))


def ending(
    rules: Ruleset, totals: Sequence[int], played: int, deciding: bool, result: Result | Outcome | None
) -> tuple[str, int | None] | None:
    """Whether the match is over after this deal: the reason and the account that wins, None for a draw.

    `deciding`: the deal just played was a deciding one, after which the highest total wins even if
    nobody stands at the target any more. `result` is the deal's own, None where only the totals are known.
    """
    if result and result.reason == "target" and result.out is not None:  # D14: whoever reached it wins
        return "target", rules.side(result.out)
    best = leader(totals)
    due = deciding or is_due(rules, totals, played)
    if due and (best is not None or rules.ties == "drawn"):
        return rules.match, best
    if rules.max_deals and played >= rules.max_deals:
        return "max_deals", best
    return None


def is_due(rules: Ruleset, totals: Sequence[int], played: int) -> bool:
    """Whether the match ends here, unless a tie has to be decided first (R-MATCH-1, R-MATCH-3)."""
    return played >= rules.deals if rules.match == "deals" else max(totals) >= rules.target


def leader(totals: Sequence[int]) -> int | None:
    """The account that is ahead alone, or None."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None


def settle(rules: Ruleset, reason: str, standings: Iterable[Standing], winner: int | None) -> MatchResult:
    """The result of a match that this account won (None: drawn), with bonus, margins and payments.

    The bonus is added before the difference is taken (D30); a draw (D13) and an end for want of further
    deals (D23) bring none. One who forfeits never collects: no payment is below the bonus.
    """
    rows = tuple(standings)
    bonus = rules.match_bonus if winner is not None and reason != "max_deals" else 0
    final = tuple(row.total + (bonus if i == winner else 0) for i, row in enumerate(rows))
    best = max(final[i] for i, row in enumerate(rows) if not row.left) if winner is None else final[winner]
    payments = []
    if winner is not None and rules.settlement == "difference":
        for i, row in enumerate(rows):
            if i != winner:
                owed = best - final[i]
                payments.append(
                    Payment(row.players, rows[winner].players, max(owed, bonus) if row.left else owed)
                )
    return MatchResult(
        reason=reason,
        winners=() if winner is None else rows[winner].players,
        drawn=winner is None,
        bonus=bonus,
        standings=rows,
        final=final,
        margins=tuple(best - total for total in final),
        payments=tuple(payments),
    )


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of one seat's sheet.

    `kind` is `meld`, `lay`, `hand` (held at the end: `points` is what it costs, 0 or less), `collected`
    (the others' hands) or `bonus` (going out). `each` are the points of `cards` one by one, before any
    doubling. `meld` is the number of the meld that was laid or laid on.
    """

    kind: str
    points: int
    cards: tuple[Laid, ...] = ()
    each: tuple[int, ...] = ()
    doubled: bool = False
    meld: int | None = None


def sheet_of(
    rules: Ruleset, events: Iterable[Event], melds: tuple[MeldView, ...], result: Result
) -> tuple[tuple[SheetLine, ...], ...]:
    """The lines by seat of a deal that is over, from its events and the melds that lie at its end."""
    told = [event for event in events if event.kind in ("meld", "lay")]
    seats = range(len(result.points))
    return tuple(
        (*(_laid(rules, event, melds) for event in told if event.seat == seat), *_ends(rules, result, seat))
        for seat in seats
    )


def _laid(rules: Ruleset, event: Event, melds: tuple[MeldView, ...]) -> SheetLine:
    cards, number = event.public["cards"], event.public["meld"]
    run = melds[number].kind == "run"
    return SheetLine(
        event.kind,
        event.public["points"],
        cards,
        tuple(card_points(rules, cards, run)),
        event.public["doubled"],
        number,
    )


def _ends(rules: Ruleset, result: Result, seat: int) -> Iterator[SheetLine]:
    hand = tuple(Laid(card, card) for card in result.hands[seat])
    if hand:
        each = tuple(card_points(rules, hand, run=False))
        yield SheetLine("hand", -result.deducted[seat], hand, each)
    if result.collected[seat]:
        yield SheetLine("collected", result.collected[seat])
    if result.bonus[seat]:
        yield SheetLine("bonus", result.bonus[seat])
