"""`rum500 bot`: start a bot of your own, check it, or bring it to a live table."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from rum500.cli import _console
from rum500.cli._inputs import SEEDS, STDIN, BotName, HouseRules, Players, Variations, default_of, split_words
from rum500.cli.user_error import UserError
from rum500.external_bots import (
    BotReport,
    EngineBot,
    EngineError,
    check_bot,
    is_level,
    open_bot,
    write_template,
)
from rum500.external_bots.bot_check import DEALS, PATIENCE, SECONDS, CheckOptions, check_elsewhere
from rum500.rules.profiles import STANDARD, profile_rules, ruleset
from rum500.sim.arena import RESERVED

command = App(
    name="bot", help="Begin a bot of your own, check it, bring it to a live table.", help_format="plaintext"
)

_WRONG = {
    "name": "has no name",
    "hung": "does not answer",
    "failed": "fails",
    "illegal": "plays what is not legal",
    "unsteady": "does not play the same from the same view and seed",
    "hidden": "plays by something else than its view",
    "slow": "is too slow",
}


@command.command
def new(
    name: Annotated[str, Parameter(help="What it is called, such as my_bot.")],
    /,
    *,
    folder: Annotated[
        Path | None, Parameter(help="Where to write it; a folder of its name if left out.")
    ] = None,
    search: Annotated[bool, Parameter(help="A bot that tries its plays in many possible deals.")] = False,
) -> None:
    """Write a first bot: a file that plays at once, its tests, and the next steps."""
    if name.strip().lower() in RESERVED:
        raise UserError(f"{name!r}: the arena has a player of that name; take another")
    where = Path(name.strip().lower().replace("-", "_").replace(" ", "_")) if folder is None else folder
    try:
        written = write_template(name, where, search=search)
    except OSError as error:
        raise UserError(f"{error.filename or where}: {error.strerror or error}") from None
    for path in written:
        print(path)
    print(f"Now: rum500 bot test {written[0]}")


@command.command(name="test")
def check(
    bot: BotName,
    /,
    *,
    seconds: Annotated[float, Parameter(help="What 95 of 100 choices may take at most.")] = SECONDS,
    patience: Annotated[float, Parameter(help="Seconds more after which the check ends.")] = PATIENCE,
    deals: Annotated[int, Parameter(help="Deals at each table.")] = DEALS,
    profile: Annotated[tuple[str, ...], Parameter(help="Only this profile; several: again.")] = (),
    seed: Annotated[int, Parameter(validator=SEEDS, help="The seed: the same deals.")] = default_of(
        check_bot, "seed"
    ),
    as_json: Annotated[bool, Parameter(name="--json", help="The report as JSON.")] = False,
) -> None:
    """Check a bot at every profile, house rule and number of players; exit code 1 if anything is wrong.

    The bot must play legally and in time. From the same view and seed it must always make the same play,
    whatever the hidden cards are.
    """
    if deals < 1 or not seconds > 0 or not patience > 0:
        raise UserError("--deals is 1 or more, --seconds and --patience more than 0")
    names = [ruleset(name).name for name in profile]
    options = CheckOptions(seconds=seconds, patience=patience, deals=deals, seed=seed, profiles=names)
    with redirect_stdout(sys.stderr):  # a bot may print, and stdout is for the result
        found = _checked(bot, options)
    print(json.dumps(found.as_dict(), indent=2)) if as_json else _print(found)
    if not found.passed:
        raise SystemExit(1)


def _checked(name: str, options: CheckOptions) -> BotReport:
    opened = open_bot(name)
    with _console.bar(Console(stderr=True)) as bar:
        task = bar.add_task(name, total=None)
        found = check_bot(
            lambda: open_bot(name),
            **options,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
        in_our_python = not is_level(name) and not isinstance(opened, EngineBot)
        if found.passed and in_our_python:
            again = f"{name}: the first choices again, in another process"
            bar.update(task, description=again, completed=0, total=None)
            found.findings += check_elsewhere(name, found, options)
    return found


def _some(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"


def _print(check: BotReport) -> None:
    print(f"{check.bot}: {_some(check.deals, 'deal')} at {_some(check.tables, 'table')}, ", end="")
    print(_some(check.choices, "choice"))
    print(
        f"A choice: half within {check.p50_ms:.2f} ms, 95 of 100 within {check.p95_ms:.2f} ms "
        f"(at most {check.limit_ms:g}), the longest {check.most_ms:.2f} ms"
    )
    if check.passed:
        print(f"Legal, in time, and the same {check.asked_again:,} times when asked again: fit to play")
        return
    for kind, fault in _WRONG.items():
        found = [one for one in check.findings if one.kind == kind]
        if not found:
            continue
        print(f"\nIt {fault}:")
        for one in found:
            where = f" ({one.table}, deal seed {one.seed})" if one.seed is not None else ""
            print(f"  {one.message}{where}")
    shown = next((one for one in check.findings if one.position), None)
    if shown is not None:
        print("\nWhat the seat saw the first time:\n")
        print("".join(f"  {line}\n" for line in shown.position.splitlines()), end="")


@command.command
def join(
    url: Annotated[str, Parameter(help="The table's address, as in its invitation.")],
    token: Annotated[
        str,
        Parameter(help="The token made for the seat; -: read it from stdin.", allow_leading_hyphen=True),
    ],
    bot: BotName,
    /,
) -> None:
    """Let a bot play a seat of a live table until the match is over; exit code 1 if it is removed."""
    from rum500.cli._seat_player import SeatClosed, play_seat  # noqa: PLC0415 - it brings the network along

    try:
        found = open_bot(bot)
        read = (sys.stdin.readline() if token == STDIN else token).strip()
        if not read:
            raise UserError("the token is missing: no line of it came from stdin")
        play_seat(url, read, found, partial(print, flush=True))
    except SeatClosed as error:
        print(error)
        raise SystemExit(1) from None


@command.command
def host(  # noqa: PLR0913 - every option is an argument
    server: Annotated[str, Parameter(help="The server's address, such as https://cards.example.org.")],
    bot: BotName,
    /,
    *,
    profile: Annotated[str, Parameter(help="A profile's name or alias.")] = STANDARD,
    players: Players = None,
    against: Annotated[
        str, Parameter(help="Levels of the other seats, separated by commas; repeated in turn if fewer.")
    ] = "club",
    people: Annotated[
        int, Parameter(help="Seats left for people; the match begins when all of them are taken.")
    ] = 0,
    target: Annotated[int | None, Parameter(help="The points to reach.")] = None,
    deals: Annotated[int | None, Parameter(help="The number of deals, or its maximum.")] = None,
    house_rules: HouseRules = (),
    variations: Variations = (),
    private: Annotated[bool, Parameter(help="Do not list the table in the lobby.")] = False,
) -> None:
    """Make a table at a server, let a bot play its first seat until the match is over, and print who won.

    Exit code 1 if the bot is removed.
    """
    from rum500.cli._seat_player import SeatClosed, play_seat  # noqa: PLC0415 - it brings the network along
    from rum500.cli._table_host import begin_match, hosted_table  # noqa: PLC0415

    rules = profile_rules(profile)
    seats = rules.players[0] if players is None else players
    rules.check_players(seats)
    levels = split_words([against])
    if not 0 <= people < seats:
        raise UserError(f"--people is 0 to {seats - 1}: one of {seats} seats is the bot's")
    if not levels and people < seats - 1:
        raise UserError("--against names no level")
    others = [levels[seat % len(levels)] for seat in range(seats - 1 - people)]
    options = {
        "profile": rules.name,
        "players": seats,
        "bots": [None, *others],
        "target": target,
        "deals": deals,
        "house_rules": [one.upper() for one in split_words(house_rules)],
        "variations": split_words(variations),
        "private": private,
    }
    report = partial(print, flush=True)
    try:
        found = open_bot(bot)
        with hosted_table(server, found, options) as table:
            report(f"The table is {table.url}")
            if people:
                taken = "is" if people == 1 else "are"
                report(f"The match begins when {_some(people, 'seat')} more {taken} taken")
            begin_match(table)
            play_seat(table.url, table.token, found, report)
    except EngineError as error:
        raise UserError(str(error)) from None
    except SeatClosed as error:
        print(error)
        raise SystemExit(1) from None
