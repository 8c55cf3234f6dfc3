"""The score sheet of a deal, line by line as on paper: who laid what for how much, and what was held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rum500.rules.actions import Laid
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points
from rum500.view import Event, MeldView, Result


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
