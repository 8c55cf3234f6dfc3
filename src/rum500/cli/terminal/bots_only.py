"""A match between bots, printed play by play: `rum500 play` without a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from rum500.cli.terminal.players import TerminalTable
from rum500.cli.terminal.saves import Saves
from rum500.cli.terminal.sheet_lines import SheetLayout, result_lines, sheet_lines, totals_lines
from rum500.cli.terminal.style import Style, wrapped

WIDTH = 80


def told_match(table: TerminalTable, look: Style, saves: Saves | None = None) -> Iterator[Text]:
    """Play the match to its end, store it if requested, and yield its lines; a seed gives the same lines."""
    match = table.match
    while not match.is_over:
        answer = table.bots_answer()
        assert answer is not None
        settled = table.apply(answer)
        if saves is not None:
            saves.keep()
        if settled:
            yield from _deal(table, look)
    result = match.result
    assert result is not None
    yield from totals_lines(look, table.accounts(), match.sheet)
    yield Text()
    yield from result_lines(look, match.rules, result, match.player_names)


def _deal(table: TerminalTable, look: Style) -> Iterator[Text]:
    """Yield the lines of the last deal: every turn, then the sheet."""
    match, events = table.match, table.last_deal()
    yield from wrapped(table.teller(look).log(events), WIDTH)
    yield Text()
    sheet = SheetLayout(match.rules, look, table.names(), None, match.sheet[-1], events, table.melds())
    yield from sheet_lines(sheet, WIDTH)
    yield Text()
