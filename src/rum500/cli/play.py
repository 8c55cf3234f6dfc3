"""`rum500 play`: a match at the terminal against bots; without a terminal, a match between bots alone."""

from __future__ import annotations

import os
import secrets
import sys
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console

from rum500 import bots
from rum500.bots import UnknownBot
from rum500.cli._errors import UserError
from rum500.cli._ruleset import HouseRules, Profile, Variations, read_ruleset
from rum500.cli.terminal._alone import WIDTH, told_match
from rum500.cli.terminal._game import Game, Table
from rum500.cli.terminal._look import Look, look_for
from rum500.cli.terminal._screen import Screen
from rum500.match import Match
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset


class Nowhere:
    def keep(self, match):
        pass

    def notice(self):
        return ["kept nowhere"]


OPPONENTS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedda")
_NAME = 16


def command(
    file: Annotated[
        str | None, Parameter(name="FILE", help="With --resume: the match to go on with.")
    ] = None,
    /,
    *,
    profile: Profile = "500-rum",
    players: Annotated[int | None, Parameter(help="How many sit at the table, you among them.")] = None,
    bot: Annotated[str, Parameter(help="How the others play: random or greedy.")] = "greedy",
    house_rules: HouseRules = (),
    variations: Variations = (),
    target: Annotated[int | None, Parameter(help="Play to this many points.")] = None,
    seed: Annotated[int | None, Parameter(help="The same seed deals the same cards.")] = None,
    name: Annotated[str, Parameter(help="Your name, for the record.")] = "You",
    record: Annotated[str | None, Parameter(help="Keep the match in this file.")] = None,
    resume: Annotated[bool, Parameter(help="Go on with the match in FILE, or with the last one.")] = False,
    colour: Annotated[Literal["auto", "always", "never"], Parameter(help="Whether to use colours.")] = "auto",
    plain: Annotated[bool, Parameter(help="Letters for suits, and no colours.")] = False,
    delay: Annotated[float, Parameter(help="Seconds that each bot's turn stays to be seen.")] = 0.4,
) -> None:
    """Play a match at the terminal against bots."""
    rules = read_ruleset(profile, house_rules, variations)
    if target is not None:
        rules = rules.replace(target=target)
    seats = players if players is not None else 4 if 4 in rules.players else rules.players[0]
    rules.check_players(seats)
    look = look_for(sys.stdout, os.environ, colour, plain=plain)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _alone(rules, seats, bot, seed or 0, look)
        return
    seed = secrets.randbits(32) if seed is None else seed
    table = Table(Match(rules, seats, Rng(seed), _names(name, seats)), [None, *_bots(bot, seats - 1)], seed)
    Game(table, Screen(_console(look), pace=delay), look, Nowhere()).run()


def _names(name: str, players: int) -> list[str]:
    name = name.strip()
    if not name or not name.isprintable() or len(name) > _NAME:
        raise UserError(f"--name: {name!r} is no name: use 1 to {_NAME} printable characters")
    return [name, *[other for other in OPPONENTS if other != name][: players - 1]]


def _bots(level: str, count: int) -> list[bots.Bot]:
    try:
        return [bots.get(level) for _ in range(count)]
    except UnknownBot as error:
        raise UserError(f"--bot: {error}") from None


def _console(look: Look, width: int | None = None) -> Console:
    """A console that shows colours where the look has them, and never more than that."""
    return Console(
        no_color=not look.colour,
        force_terminal=True if look.colour else None,
        highlight=False,
        width=width,
        legacy_windows=False,
    )


def _alone(rules: Ruleset, players: int, bot: str, seed: int, look: Look) -> None:
    """Without a terminal: bots play, and the match is printed."""
    names = OPPONENTS[:players]
    table = Table(Match(rules, players, Rng(seed), names), _bots(bot, players), seed)
    console = _console(look, WIDTH)
    print(
        look.words(f"There is no terminal here: {bot} bots play {rules.title} among themselves, seed {seed}.")
    )
    for line in told_match(table, look):
        console.print(line, no_wrap=True, overflow="ignore", crop=True, highlight=False)
