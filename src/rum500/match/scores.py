"""The score sheet, the end of a match, and its settlement.

An *account* has one total: it is a side in a partnership game, otherwise a player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rum500.record import Outcome
from rum500.rules.actions import Laid
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points
from rum500.values import Plain
from rum500.view import Event, MeldView, Result


@dataclass(frozen=True, slots=True)
class DealScore(Plain):
    """A row of the score sheet."""

    number: int
    """The number of the deal, from 1."""
    dealer: int
    """The dealer's seat."""
    seating: tuple[int, ...]
    """Per seat, the player who sat there."""
    result: Result
    """The result of the deal, by seat."""
    points: tuple[int, ...]
    """The points of this deal by account: by side if there are sides, else by seat (R-MATCH-5)."""
    totals: tuple[int, ...]
    """The totals after this deal, by account."""


@dataclass(frozen=True, slots=True)
class Payment(Plain):
    """A payment from losers to winners; `payer` and `payee` are tuples of players (a side pays once, D30)."""

    payer: tuple[int, ...]
    payee: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Standing(Plain):
    """A side or a single player (an account) at the end of a match, with the total, and whether it gave up
    the match.
    """

    players: tuple[int, ...]
    total: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class MatchResult(Plain):
    """The result of a match. Accounts are in seat order; players who resigned are last."""

    reason: str
    """`target`, `deals`, `max_deals` or `forfeit`."""
    winners: tuple[int, ...]
    """The players who won; empty if the match is drawn."""
    drawn: bool
    """Whether the match is drawn: no account wins."""
    bonus: int
    """The bonus points of the winner."""
    standings: tuple[Standing, ...]
    """The accounts."""
    final: tuple[int, ...]
    """The totals by account, including the winner's bonus."""
    margins: tuple[int, ...]
    """By account, how far the final total is behind the winner's or, in a draw, behind the highest (D17)."""
    payments: tuple[Payment, ...]
    """The payments; empty unless the rules settle by differences."""

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals by account, without the bonus."""
        return tuple(standing.total for standing in self.standings)


def standings(
    rules: Ruleset, seating: Sequence[int], totals: Sequence[int], quitter: int | None
) -> list[Standing]:
    """Return the accounts of the players at the table; `quitter` is the account that gave up, if any."""
    rows = []
    for account, total in enumerate(totals):
        players = tuple(player for seat, player in enumerate(seating) if rules.side(seat) == account)
        rows.append(Standing(players, total, account == quitter))
    return rows


def by_account(rules: Ruleset, points: Sequence[int]) -> tuple[int, ...]:
    """Return points by account: added up by side if there are sides, else by seat."""
    if not rules.sides:
        return tuple(points)
    return tuple(sum(points[side :: rules.sides]) for side in range(rules.sides))


def by_seat(rules: Ruleset, accounts: Sequence[int], players: int) -> tuple[int, ...]:
    """Return totals by seat from totals by account: partners have the same total."""
    if not rules.sides:
        return tuple(accounts)
    return tuple(accounts[rules.side(seat)] for seat in range(players))


def ending(
    rules: Ruleset, totals: Sequence[int], played: int, deciding: bool, result: Result | Outcome | None
) -> tuple[str, int | None] | None:
    """Return the reason for the end of the match and the winning account (None: a draw), or None if it
    continues.

    `totals` are by account, after `played` deals. If the last deal was played to break a tie (`deciding`),
    the highest total wins, even below the target. `result` is that of the last deal, None if unknown.
    """
    # The player who reached the target in mid-deal wins (D14).
    if result and result.reason == "target" and result.out is not None:
        return "target", rules.side(result.out)
    best = leader(totals)
    due = deciding or is_due(rules, totals, played)
    if due and (best is not None or rules.ties == "drawn"):
        return rules.match, best
    if rules.max_deals and played >= rules.max_deals:
        return "max_deals", best
    return None


def is_due(rules: Ruleset, totals: Sequence[int], played: int) -> bool:
    """Return whether the match ends now unless a tie has to be decided (R-MATCH-1, R-MATCH-3)."""
    return played >= rules.deals if rules.match == "deals" else max(totals) >= rules.target


def leader(totals: Sequence[int]) -> int | None:
    """Return the account with the highest total; None if several share it."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None


def settle(rules: Ruleset, reason: str, standings: Iterable[Standing], winner: int | None) -> MatchResult:
    """Return the result of a match that account `winner` won (None: drawn), with bonus, margins and payments.

    The bonus is added before differences are taken (D30). A draw (D13) and a match at the limit of deals
    (D23) have no bonus. Payments from an account that resigned are at least the bonus, so it never gains.
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
    """A line of one seat's score sheet for a deal."""

    kind: str
    """`meld`, `lay`, `hand` (cards held at the end), `collected` (other hands) or `bonus` (going out)."""
    points: int
    """The points; for `hand` 0 or less."""
    cards: tuple[Laid, ...] = ()
    """The cards."""
    each: tuple[int, ...] = ()
    """The points of each card, before doubling."""
    doubled: bool = False
    """Whether the points are doubled."""
    meld: int | None = None
    """The number of the meld that was laid, or to which cards were added; None for other lines."""


def sheet_of(
    rules: Ruleset, events: Iterable[Event], melds: tuple[MeldView, ...], result: Result
) -> tuple[tuple[SheetLine, ...], ...]:
    """Return the score lines of each seat for a finished deal, from its events and its final melds."""
    plays = [event for event in events if event.kind in ("meld", "lay")]
    seats = range(len(result.points))
    return tuple(
        (*(_laid(rules, event, melds) for event in plays if event.seat == seat), *_ends(rules, result, seat))
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
