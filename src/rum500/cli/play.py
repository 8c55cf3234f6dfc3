"""`rum500 play`: a match at the terminal against bots; without a terminal, a match between bots only."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from rum500 import bots
from rum500.bots import Bot
from rum500.cli._inputs import SEEDS, HouseRules, Profile, Variations, read_ruleset
from rum500.cli.terminal.game import TerminalGame
from rum500.cli.terminal.preferences import Preferences
from rum500.cli.terminal.saves import Saves, folder, last_path, new_path, resumed, unfinished_path
from rum500.cli.terminal.screen import Screen
from rum500.cli.terminal.sheet_lines import SheetLayout, result_lines, sheet_lines, totals_lines
from rum500.cli.terminal.style import Style, look_for, wrapped
from rum500.cli.terminal.terminal_table import OPPONENTS, TerminalTable
from rum500.cli.user_error import UserError
from rum500.external_bots import BotSpecError, open_bot
from rum500.match import Match
from rum500.rng import Rng
from rum500.rules.profiles import STANDARD
from rum500.rules.ruleset import Ruleset

_WIDTH = 80
"""The width in columns of the output of a match between bots only."""
_LONGEST_NAME = 16
_NOT_IN_NAMES = ':;#{}|"'


USUAL = "greedy"
"""The default bot."""


def _bot_help() -> str:
    """Return the help about names of bots: each level with its sentence, and external bots."""
    levels = " ".join(f"{level.name}: {level.sentence}" for level in bots.levels())
    first, *_, last = bots.numbered_levels()
    levels += f" {first.name} to {last.name}: each wins about a third of its matches against the next one."
    return (
        f"How the others play, {USUAL} if left out: a level, weakest first, or FILE.py, MODULE:CLASS, "
        f"learned:FILE or cmd:COMMAND. {levels}"
    )


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The options for the game and its players."""

    profile: Profile = STANDARD
    players: Annotated[int | None, Parameter(help="How many sit at the table, you among them.")] = None
    bot: Annotated[str | None, Parameter(help=_bot_help())] = None
    house_rules: HouseRules = ()
    variations: Variations = ()
    target: Annotated[int | None, Parameter(help="Play to this many points.")] = None
    deals: Annotated[
        int | None, Parameter(help="The number of deals, or its maximum if the match is to a target.")
    ] = None
    seed: Annotated[int | None, Parameter(validator=SEEDS, help="The same seed deals the same cards.")] = None
    name: Annotated[str, Parameter(help="Your name, for the record.")] = "You"

    def rules(self) -> Ruleset:
        """Return the requested rule set."""
        rules = read_ruleset(self.profile, self.house_rules, self.variations)
        changes = {} if self.target is None else {"target": self.target}
        if self.deals is not None:
            changes[rules.deals_option] = self.deals
        return rules.changed(options=changes) if changes else rules

    def seats(self, rules: Ruleset) -> int:
        """Return the number of players: by default four, or the fewest if the game is not for four."""
        seats = self.players if self.players is not None else 4 if 4 in rules.players else rules.players[0]
        rules.check_players(seats)
        return seats

    def level(self) -> str:
        """Return the requested name of the bots, or the default one."""
        return self.bot or USUAL

    def bots(self, count: int) -> list[Bot]:
        """Return one instance of the requested bot for each of `count` seats."""
        try:
            return [open_bot(self.level())] * count
        except BotSpecError as error:
            raise UserError(f"--bot: {error}") from None


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """The options for the appearance."""

    colour: Annotated[Literal["auto", "always", "never"], Parameter(help="Whether to use colours.")] = "auto"
    plain: Annotated[bool, Parameter(help="Letters for suits, and no colours.")] = False
    delay: Annotated[float, Parameter(help="Seconds for which a bot's turn is left to be seen.")] = 0.4

    def look(self) -> Style:
        """Return the style for this terminal."""
        return look_for(sys.stdout, os.environ, self.colour, plain=self.plain)

    def console(self, width: int | None = None) -> Console:
        """Return a console, which has colours only if the style has."""
        colour = self.look().colour
        return Console(
            no_color=not colour, force_terminal=True if colour else None, highlight=False, width=width
        )


def command(
    file: Annotated[Path | None, Parameter(name="FILE", help="With --resume: the match to continue.")] = None,
    /,
    *,
    setting: Setting | None = None,
    showing: Showing | None = None,
    record: Annotated[Path | None, Parameter(help="Keep the match in this file.")] = None,
    resume: Annotated[bool, Parameter(help="Go on with the match in FILE, or with the last one.")] = False,
) -> None:
    """Play a match at the terminal against bots."""
    setting, showing = setting or Setting(), showing or Showing()
    if file is not None and not resume:
        raise UserError(f"{str(file)!r} is one word too many; to continue a match: --resume {file}")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        if resume:
            raise UserError("--resume: going on with a match needs a terminal")
        _alone(setting, showing, record)
        return
    notices: list[str] = []
    if resume:
        table, saves, notice = resumed(file or last_path(os.environ), setting.bot or "")
    else:
        table = _new_table(setting)
        earlier = unfinished_path(os.environ)
        path = record or new_path(os.environ, table.match.rules.name)
        saves = Saves(path, table, setting.level())
        notice = "Type ? for help, hint for a hint, q to leave; the match is kept."
        if earlier is not None:
            notices = ["Your last match is not over: rum500 play --resume continues it."]
    look = showing.look()
    screen = Screen(showing.console(), pace=showing.delay)
    game = TerminalGame(table, screen, look, saves, Preferences(folder(os.environ)))
    game.notes = [look.say(one) for one in (*notices, notice) if one]
    try:
        game.run()
    finally:
        saves.close()


def _new_table(setting: Setting) -> TerminalTable:
    rules = setting.rules()
    players = setting.seats(rules)
    others = setting.bots(players - 1)
    seed = secrets.randbits(32) if setting.seed is None else setting.seed
    return TerminalTable(
        Match(rules, players, Rng(seed), _names(setting.name, players)), [None, *others], seed
    )


def _names(name: str, players: int) -> list[str]:
    name = name.strip()
    allowed = name.isprintable() and not any(char in _NOT_IN_NAMES for char in name)
    if not 0 < len(name) <= _LONGEST_NAME or not allowed:
        raise UserError(
            f"--name: {name!r} is not a name: 1 to {_LONGEST_NAME} characters, none of {_NOT_IN_NAMES}"
        )
    others = [other for other in OPPONENTS if other.casefold() != name.casefold()]
    return [name, *others[: players - 1]]


def _alone(setting: Setting, showing: Showing, record: Path | None) -> None:
    rules, look, seed = setting.rules(), showing.look(), setting.seed or 0
    players = setting.seats(rules)
    _names(setting.name, players)
    table = TerminalTable(Match(rules, players, Rng(seed), OPPONENTS[:players]), setting.bots(players), seed)
    console = showing.console(_WIDTH)
    heading = (
        f"There is no terminal here, and nothing is read: {setting.level()} bots play {rules.title} among "
        f"themselves, seed {seed}."
    )
    console.print(look.words(heading), soft_wrap=True)
    saves = None if record is None else Saves(record, table, setting.level())
    try:
        for line in _match_lines(table, look, saves):
            console.print(line, no_wrap=True, overflow="ignore", crop=True)
    finally:
        if saves is not None:
            saves.close()
    for notice in saves.notice() if saves else ():
        console.print(look.words(notice), soft_wrap=True)


def _match_lines(table: TerminalTable, look: Style, saves: Saves | None) -> Iterator[Text]:
    """Play the match to its end, store it if requested, and yield its lines. A seed determines the lines."""
    match = table.match
    while not match.is_over:
        answer = table.bots_answer()
        assert answer is not None
        settled = table.apply(answer)
        if saves is not None:
            saves.keep()
        if settled:
            yield from _deal_lines(table, look)
    result = match.result
    assert result is not None
    yield from totals_lines(look, table.accounts(), match.sheet)
    yield Text()
    yield from result_lines(look, match.rules, result, match.player_names)


def _deal_lines(table: TerminalTable, look: Style) -> Iterator[Text]:
    match, events = table.match, table.last_deal()
    yield from wrapped(table.narrator(look).log(events), _WIDTH)
    yield Text()
    sheet = SheetLayout(match.rules, look, table.names(), None, match.sheet[-1], events, table.melds())
    yield from sheet_lines(sheet, _WIDTH)
    yield Text()
