"""Input files of commands, given by name, or `-` for standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from inspect import signature
from typing import Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from rum500.cli.user_error import UserError, one_line
from rum500.file_reading import NoTextError, as_text, read_stream, read_text
from rum500.match import problems_of_match
from rum500.normalised_text import plain_text
from rum500.record import MOST_RECORD, Record, RecordError
from rum500.rng import U64
from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import Problem
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state import MOST_POSITION, Position, PositionError, position_from_text

PositionFile = Annotated[
    str, Parameter(name="FILE", help="A position file; - reads standard input.", allow_leading_hyphen=True)
]
RecordFile = Annotated[
    str, Parameter(name="RECORD", help="A game record; - reads standard input.", allow_leading_hyphen=True)
]
STDIN = "-"

SEEDS = Number(gte=0, lte=U64)
"""The validator of options for seeds."""


def default_of(function: Callable[..., object], name: str) -> Any:
    """Return the default of a function's parameter, for use as the default of a command's option."""
    return signature(function).parameters[name].default


def check_range(flag: str, number: int | None, low: int, high: int) -> None:
    """Raise `UserError` for a number outside these bounds."""
    if number is not None and not low <= number <= high:
        raise UserError(f"{flag}: found {number}, expected {low} to {high}")


def read_position(file: str) -> Position:
    """Return the position in a file. Raises `UserError` with all its problems."""
    try:
        return position_from_text(_read(file, MOST_POSITION))
    except PositionError as error:
        raise UserError(f"{shown(file)}: {one_line(error)}") from None


def read_record(file: str) -> Record:
    """Return the record in a file. Raises `UserError` if it cannot be read."""
    try:
        return Record.from_text(_read(file, MOST_RECORD))
    except RecordError as error:
        raise UserError(f"{shown(file)}: {one_line(error)}") from None


def record_problems(game: Record) -> list[Problem]:
    """Return all problems of the record's deals and match, in the order of the text."""
    return sorted([*game.verify(), *problems_of_match(game)], key=lambda problem: problem.line or 0)


def shown(file: str) -> str:
    """Return the name of a file for messages: `standard input` for `-`."""
    return "standard input" if file == STDIN else file


def _read(file: str, most: int) -> str:
    """Return the text of a file, with its line ends. Raises `UserError` if it has more than `most` bytes."""
    if file.startswith("-") and file != STDIN:
        raise UserError(f"there is no option {file}; a file of that name is written ./{file}")
    try:
        if file == STDIN:
            return as_text(read_stream(sys.stdin.buffer, most, file))
        return read_text(file, most)
    except OSError as error:
        raise UserError(f"{shown(file)}: {error.strerror}") from None
    except NoTextError as error:
        raise UserError(f"{shown(file)}: {error}") from None
    except ValueError as error:  # an invalid file name
        raise UserError(f"{shown(file)!r}: {error}") from None


Profile = Annotated[str, Parameter(help="A profile's name or alias, or a rule set file (.toml).")]
Players = Annotated[int | None, Parameter(help="How many play; the fewest of the profile if left out.")]
BotName = Annotated[str, Parameter(help="A level, FILE.py, MODULE:CLASS, learned:FILE or cmd:COMMAND.")]
HouseRules = Annotated[
    tuple[str, ...],
    Parameter(
        name=["--house-rule", "--house-rules"],
        help=f"A house rule, {min(HOUSE_RULES)} to {max(HOUSE_RULES)}; several: again, or H1,H5.",
    ),
]
Variations = Annotated[
    tuple[str, ...],
    Parameter(
        name=["--variation", "--variations"],
        help=f"A named variation: {', '.join(variations())}.",
        show_default=False,
    ),
]


def read_ruleset(profile: str, house_rules: Iterable[str] = (), variations: Iterable[str] = ()) -> Ruleset:
    """Return the requested rule set. Raises `RulesetError` or `UserError` with all its problems."""
    house, named = split_words(house_rules), split_words(variations)
    try:
        return ruleset(profile, house, variations=named)
    except OSError as error:
        raise UserError(f"{profile}: {error.strerror}") from None


def split_words(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names in these texts, in which commas and blanks separate them."""
    return tuple(part for name in names for part in plain_text(name).replace(",", " ").split())
