"""A match between bots, told play by play: what `rum500 play` does where there is no terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from rum500.cli.terminal._game import Table
from rum500.cli.terminal._look import Look, wrapped
from rum500.cli.terminal._sheet import Sheet, result_lines, sheet_lines, totals_lines
from rum500.cli.terminal._words import Teller
from rum500.view import Event

WIDTH = 80


def told_match(table: Table, look: Look) -> Iterator[Text]:
    """Play the match to its end and tell it, line by line; the same seed tells the same."""
    match, told = table.match, 0
    while not match.is_over:
        answer = table.bots_answer()
        assert answer is not None
        match.apply(answer)
        if len(match.sheet) > told or match.is_over:
            told = len(match.sheet)
            yield from _deal(table, look)
    result = match.result
    assert result is not None
    yield from totals_lines(look, _heads(table), match.sheet)
    yield Text()
    yield from result_lines(look, match.rules, result, match.player_names)


def _heads(table: Table) -> list[str]:
    """What the columns of the totals are headed by: names, or both names of a side."""
    names, sides = table.names(), table.match.rules.sides
    return [" & ".join(names[side::sides]) for side in range(sides)] if sides else list(names)


def _deal(table: Table, look: Look) -> Iterator[Text]:
    """The deal just played: every turn, then the sheet."""
    match = table.match
    events = _last_deal(match.events)
    yield from wrapped(Teller(look, table.names(), None).log(events), WIDTH)
    yield Text()
    played = [event for event in events if event.kind in ("meld", "lay")]
    sheet = Sheet(match.rules, look, table.names(), None, match.sheet[-1], played)
    yield from sheet_lines(sheet, WIDTH)
    yield Text()


def _last_deal(events: tuple[Event, ...]) -> list[Event]:
    ends = [at for at, event in enumerate(events) if event.kind == "settle"]
    return list(events[ends[-2] + 1 if len(ends) > 1 else 0 :])
