"""`rum500 verify`: whether the cards of a deal of the day were fixed beforehand."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from cyclopts import Parameter

from rum500.cards import cards_text
from rum500.cli._inputs import read_record, record_problems, shown
from rum500.cli.user_error import UserError, one_line
from rum500.puzzles.day_deal import DayDeal, deal_number, seed_of_date
from rum500.record import Record
from rum500.record.fair import commitment as commitment_of

_HEX = re.compile(r"[0-9a-f]{64}")


def command(
    day: Annotated[str, Parameter(name="DAY", help="The date of the deal in UTC, such as 2026-11-26.")],
    record: Annotated[
        str | None,
        Parameter(name="RECORD", help="A record of this deal, to be compared; - reads standard input."),
    ] = None,
    /,
    *,
    seed: Annotated[
        str | None,
        Parameter(help="The seed that the server published after the day; by default that of the date."),
    ] = None,
    commitment: Annotated[
        str | None, Parameter(help="The commitment that the server published before the day.")
    ] = None,
) -> None:
    """Deal the cards of a deal of the day again, and compare them with a commitment and a record.

    Exit code 1 if something differs.
    """
    deal = DayDeal(
        _day(day), seed_of_date(_day(day)) if seed is None else bytes.fromhex(_hex("--seed", seed))
    )
    print(
        f"deal {deal.number}, {deal.day}: {deal.rules.title}, "
        f"{deal.players} players, seat {deal.dealer} deals"
    )
    print(f"deck: {cards_text(deal.deck)}")
    wrong = []
    if commitment is not None:
        fits = commitment_of(deal.seed) == _hex("--commitment", commitment)
        wrong += [] if fits else ["the seed does not fit the commitment"]
    if record is not None:
        wrong += _differences(read_record(record), deal, shown(record))
    for line in wrong:
        print(f"wrong: {line}")
    if wrong:
        raise SystemExit(1)
    checked = ["the commitment"] * (commitment is not None) + ["the record"] * (record is not None)
    if checked:
        print(f"right: {' and '.join(checked)}")


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UserError(f"DAY: found {text!r}, expected a date such as 2026-11-26") from None
    try:
        deal_number(day)
    except ValueError as error:
        raise UserError(f"DAY: {error}") from None
    return day


def _hex(flag: str, text: str) -> str:
    if not _HEX.fullmatch(text):
        raise UserError(f"{flag}: expected 64 digits in lower-case hexadecimal, found {text!r}")
    return text


def _differences(game: Record, deal: DayDeal, name: str) -> list[str]:
    """Return how a record differs from the deal, each as a sentence."""
    if problems := record_problems(game):
        return [f"{name}: {one_line(problem)}" for problem in problems]
    if game.rules != deal.rules or game.players != deal.players or len(game.deals) != 1:
        return [f"{name}: expected one deal of {deal.rules.name} with {deal.players} players"]
    only = game.deals[0]
    found = []
    if only.dealer != deal.dealer:
        found.append(f"{name}: seat {only.dealer} deals, and by the seed seat {deal.dealer} does")
    if only.deck != deal.deck:
        place = next(
            at for at, pair in enumerate(zip(only.deck, deal.deck, strict=True), 1) if pair[0] != pair[1]
        )
        found.append(f"{name}: the deck differs from card {place} on")
    return found
