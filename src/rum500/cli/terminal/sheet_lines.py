"""The score sheet after a deal, as on paper: each play with its points, the cards held, and the totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from rum500.cli.terminal.narration import ended, whose
from rum500.cli.terminal.style import MINUS, QUIET, Style, styled
from rum500.match import DealScore, MatchResult, SheetLine, sheet_of
from rum500.rules.english import counted
from rum500.rules.ruleset import Ruleset
from rum500.view import Event, MeldView

_GAP = 4
_MANY = 8
"""From this number of sides or players on, columns are narrower, so that all of them fit into 80 characters.
"""


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """What a score sheet shows."""

    rules: Ruleset
    """The rules of the game."""
    look: Style
    """The style of the terminal."""
    names: Sequence[str]
    """Per seat, the name."""
    seat: int | None
    """The viewer's seat; None for a spectator."""
    score: DealScore
    """The deal's row of the match's score sheet."""
    events: Sequence[Event]
    """The events of the deal."""
    melds: tuple[MeldView, ...]
    """The melds at the end of the deal."""


def sheet_lines(sheet: SheetLayout, width: int) -> list[Text]:
    """Return the sheet of one deal: one column for each side or, without sides, two columns of seats."""
    score, look = sheet.score, sheet.look
    number = f" of {sheet.rules.deals}" if sheet.rules.match == "deals" else ""
    text = ended(score.result.reason, score.result.out, sheet.names)
    lines = [
        look.say(f"Deal {score.number}{number}", "bold").append_text(look.say(f" · {text}", QUIET)),
        Text(),
    ]
    column = (min(width, 100) - _GAP) // 2
    left, right = (_column(sheet, seats, column) for seats in _columns(sheet))
    return lines + _side_by_side(left, right, column)


def _columns(sheet: SheetLayout) -> tuple[list[int], list[int]]:
    players, first = len(sheet.names), sheet.seat or 0
    seats = [(first + step) % players for step in range(players)]
    if sheet.rules.sides:
        return seats[::2], seats[1::2]
    half = (players + 1) // 2
    return seats[:half], seats[half:]


def _column(sheet: SheetLayout, seats: Iterable[int], width: int) -> list[Text]:
    seats = list(seats)
    lines: list[Text] = []
    if sheet.rules.sides:
        lines += [styled(_side_name(sheet, seats), "bold underline")]
    for seat in seats:
        lines += [*_seat(sheet, seat, width), Text()]
    if sheet.rules.sides:
        lines.append(_row(sheet.look, Text("This deal"), _account(sheet, seats[0]), width, "bold"))
    return lines


def _side_name(sheet: SheetLayout, seats: Sequence[int]) -> str:
    if sheet.seat is None:
        return " & ".join(sheet.names[seat] for seat in sorted(seats))
    return "We" if sheet.seat in seats else "They"


def _account(sheet: SheetLayout, seat: int) -> int:
    return sheet.score.points[sheet.rules.side(seat)]


def _seat(sheet: SheetLayout, seat: int, width: int) -> Iterator[Text]:
    yield styled(sheet.names[seat], "bold")
    for line in sheet_of(sheet.rules, sheet.events, sheet.melds, sheet.score.result)[seat]:
        yield _LINES[line.kind](sheet, seat, line, width)
    yield _row(sheet.look, Text(sheet.names[seat]), sheet.score.result.points[seat], width, "bold")


def _hand(sheet: SheetLayout, seat: int, line: SheetLine, width: int) -> Text:
    look = sheet.look
    text = look.chips(laid.card for laid in line.cards).append(" in hand")
    if line.points:
        return _row(look, text, line.points, width)
    text.append_text(look.say(f", {sheet.score.result.held[seat]} not counted", QUIET))
    return _row(look, text, None, width)


def _collected(sheet: SheetLayout, seat: int, line: SheetLine, width: int) -> Text:
    text = "the others’ hands" if sheet.look.symbols else "the others' hands"
    return _row(sheet.look, Text(text), line.points, width)


def _bonus(sheet: SheetLayout, seat: int, line: SheetLine, width: int) -> Text:
    return _row(sheet.look, Text("going out"), line.points, width)


def _laid(sheet: SheetLayout, seat: int, line: SheetLine, width: int) -> Text:
    assert line.meld is not None
    look = sheet.look
    text = look.chips(line.cards)
    note = _sum(line)
    if line.kind == "lay":
        note = f"on {whose(sheet.names[sheet.melds[line.meld].owner])} meld {line.meld + 1}"
    room = width - text.cell_len - 6
    text.append_text(look.say(f"  {note}" if len(note) + 2 <= room else "", QUIET))
    return _row(look, text, line.points, width)


def _sum(line: SheetLine) -> str:
    """Return the sum of a line's cards: `6+7+8`, or `(6+6+6+6)×2` if four at once count double."""
    total = "+".join(map(str, line.each))
    return f"({total})×2" if line.doubled else total


_LINES: dict[str, Callable[[SheetLayout, int, SheetLine, int], Text]] = {
    "meld": _laid,
    "lay": _laid,
    "hand": _hand,
    "collected": _collected,
    "bonus": _bonus,
}


def _row(look: Style, text: Text, points: int | None, width: int, style: str = "") -> Text:
    shown = "" if points is None else look.points(points)
    minus = points is not None and points < 0
    if text.cell_len > width - len(shown) - 1:
        text.truncate(width - len(shown) - 1, overflow="ellipsis" if look.symbols else "crop")
    line = Text(style=style).append_text(text).append(" " * (width - text.cell_len - len(shown)))
    return line.append(shown, style=MINUS if minus and look.colour else style)


def _side_by_side(left: list[Text], right: list[Text], width: int) -> list[Text]:
    lines = []
    for number in range(max(len(left), len(right))):
        line = left[number].copy() if number < len(left) else Text()
        line.pad_right(width - line.cell_len + _GAP)
        lines.append(line.append_text(right[number]) if number < len(right) else line)
    return lines


# --- the whole match -------------------------------------------------------------------------------


def totals_lines(look: Style, heads: Sequence[str], scores: Sequence[DealScore]) -> list[Text]:
    """Return a row for each deal and the running totals. Each side, or else each seat, has a column."""
    width = max(9 if len(heads) < _MANY else 8, *(len(head) + 2 for head in heads))
    lines = [styled(" " * 9 + "".join(f"{head:>{width}}" for head in heads), "bold")]
    lines += [_numbers(look, f"Deal {score.number}", score.points, width) for score in scores]
    if scores:
        total = _numbers(look, "Total", scores[-1].totals, width)
        total.stylize("bold")
        lines.append(total)
    return lines


def _numbers(look: Style, head: str, numbers: Sequence[int], width: int) -> Text:
    return Text(f"{head:<9}" + "".join(f"{look.points(number):>{width}}" for number in numbers))


def result_lines(look: Style, rules: Ruleset, result: MatchResult, players: Sequence[str]) -> list[Text]:
    """Return the lines on the result of the match. `players` has the names by player number, not by seat."""
    lines = [look.say(_won(rules, result, players), "bold")]
    if result.bonus:
        lines.append(look.say(f"The bonus for the match: {result.bonus}."))
    for row, final, behind in zip(result.standings, result.final, result.margins, strict=True):
        gap = f", {behind} behind" if behind else ""
        lines.append(look.say(f"  {_named(row.players, players)}: {look.points(final)}{gap}"))
    for payment in result.payments:
        pays = "pay" if len(payment.payer) > 1 or _named(payment.payer, players) == "You" else "pays"
        text = (
            f"{_named(payment.payer, players)} {pays} {_named(payment.payee, players).replace('You', 'you')}"
        )
        lines.append(look.say(f"{text} {counted(payment.points, 'point')}."))
    return lines


def _won(rules: Ruleset, result: MatchResult, players: Sequence[str]) -> str:
    if result.drawn:
        return "The match is drawn."
    wins = "win" if len(result.winners) > 1 or _named(result.winners, players) == "You" else "wins"
    why = {"deals": f"after {counted(rules.deals, 'deal')}", "max_deals": "on the highest total"}.get(
        result.reason, ""
    )
    return f"{_named(result.winners, players)} {wins} the match{' ' if why else ''}{why}."


def _named(who: Sequence[int], players: Sequence[str]) -> str:
    return " and ".join(players[player] for player in who)
