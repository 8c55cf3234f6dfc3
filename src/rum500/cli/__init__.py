"""The `rum500` command: one thin module for each subcommand, loaded on demand."""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import get_args

from cyclopts import App, ArgumentCollection, Parameter
from cyclopts.exceptions import CycloptsError, MissingArgumentError, UnusedCliTokensError

from rum500.cards import CardError
from rum500.cli.user_error import BAD_INPUT, INTERRUPTED, UserError, nearest, one_line
from rum500.extras import missing_extra
from rum500.normalised_text import plain_text
from rum500.rules.problems import RulesetError

COMMANDS = {
    "serve": "Serve the table in the browser, for you and your friends.",
    "play": "Play a match at the terminal against bots.",
    "profiles": "List the rule sets, or all the options of some of them.",
    "rules": "List the rules of a rule set, or the differences of two.",
    "melds": "List the melds in these cards, or in a full pack, with their points.",
    "legal": "List what may be played in a position, or say why something may not.",
    "replay": "Step through a game record, or verify it.",
    "verify": "Deal the cards of a deal of the day again, and check them.",
    "analyse": "Show what each decision of a record cost, and why.",
    "simulate": "Play many deals between bots.",
    "corpus": "Make deals of mixed bots with all moves as data, or check them.",
    "puzzles": "Solve puzzles, or mine more of them.",
    "arena": "Measure how strong bots are against each other.",
    "evaluate": "Evaluate bots by a fixed protocol, on a page that can be repeated.",
    "leaderboard": "Show many evaluations as one table.",
    "ladder": "Measure every level of bot against every other, and write it down.",
    "study": "Cross games, options, players and bots, and compare them.",
    "bot": "Begin a bot of your own, check it, bring it to a live table.",
    "engine": "Speak the engine protocol for one of the bots.",
    "perft": "Count the lines of play from a position.",
    "config": "Print the server's configuration, every key explained.",
    "doctor": "Check disk, limits, database and proxy of this machine.",
    "backup": "Write a backup of the data while the server runs.",
    "restore": "Put a backup back in place.",
    "db": "Move the data from one database to another.",
    "nodes": "List the servers that share a database, or let one give up its tables.",
    "prune": "Remove tables, chats and guests that have not been used for long.",
}
"""Each subcommand with its description; `rum500.cli.NAME` contains its function `command`."""

_USER_ERRORS = {
    "rum500.external_bots": "BotSpecError",
    "rum500.external_bots.template": "TemplateError",
    "rum500.server.config": "ConfigError",
    "rum500.sim": "SimulationError",
    "rum500.sim.evaluation.evaluation_file": "EvaluationFileError",
    "rum500.store": "StoreError",
}
"""Errors whose text is meant for the user, like that of `UserError`, by the module that defines them."""


def version() -> str:
    """Return the version line for `--version`."""
    from importlib import metadata  # noqa: PLC0415 - only --version needs it

    return f"rum500 {metadata.version('rum500')}"


def application() -> App:
    """Return the command line without any subcommand loaded."""
    app = App(
        name="rum500",
        help="The 500 Rum family of card games: play, host a table, look up the rules, study.",
        version=version,
        help_format="plaintext",
        default_parameter=Parameter(negative=(), show_default=_shown_default),
        print_error=False,
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        config=_check_numbers,
    )
    for place, (name, text) in enumerate(COMMANDS.items()):
        app.command(
            f"rum500.cli.{name}:command",
            name=name,
            help=text,
            sort_key=place,
        )
    return app


_NUMBER = {
    int: (re.compile(r"[+-]?[0-9]{1,40}"), "a whole number"),
    float: (re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]{1,2})?"), "a number"),
}


def _check_numbers(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Refuse values that are not plain decimal numbers of the option's type.

    For integers, cyclopts would round 2.6 and accept `none` and 0x2.
    """
    for argument in arguments:
        kinds = {argument.hint, *get_args(argument.hint)}
        for kind, (pattern, wanted) in _NUMBER.items():
            if kind not in kinds:
                continue
            for at, token in enumerate(argument.tokens):
                text = plain_text(token.value).strip()
                if not pattern.fullmatch(text):
                    raise UserError(f"{argument.name}: found {token.value!r}, expected {wanted}")
                argument.tokens[at] = token.evolve(value=text)


def _shown_default(default: object) -> str | None:
    """Return a default value as the help shows it; None, to show nothing, if the option is off."""
    return None if default is None or default is False or default == () else str(default)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 success, 1 a negative result, 2 invalid input."""
    if arguments is None and sys.argv[1:2] == ["serve"]:
        gc.disable()  # importing creates no garbage; `serve` turns it on again
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # the terminal may lack suit symbols: replace them
        sys.stdout.reconfigure(errors="replace")
    try:
        application()(words, result_action="return_value")
        sys.stdout.flush()
    except _user_errors() as error:
        return _refused(words, one_line(error))
    except CycloptsError as error:
        return _refused(words, _misuse(words, error))
    except ImportError as error:
        missing = missing_extra(error)
        if missing is None:
            raise
        return _refused(words, missing)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EIO):
            return _refused(words, f"{error.filename or 'output'}: {error.strerror or error}")
        # The reader has closed the pipe. Python would report it again when it closes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _user_errors() -> tuple[type[Exception], ...]:
    """Return the types of errors whose message is for the user, without those of modules not loaded."""
    loaded = (
        getattr(sys.modules[module], name) for module, name in _USER_ERRORS.items() if module in sys.modules
    )
    return UserError, RulesetError, CardError, *loaded


def _refused(words: Sequence[str], message: str) -> int:
    command = f" {words[0]}" if words and words[0] in COMMANDS else ""
    sys.stderr.write(f"rum500{command}: {message}\n")
    return BAD_INPUT


def _misuse(words: Sequence[str], error: CycloptsError) -> str:
    if words and words[0] not in COMMANDS and not words[0].startswith("-"):
        return (
            f"there is no command {words[0]!r}; {nearest(words[0], COMMANDS)}there are {', '.join(COMMANDS)}"
        )
    page = f"rum500 {' '.join(error.command_chain or words[:1])} --help"
    match error:
        case UnusedCliTokensError(unused_tokens=[first, *_]):
            return f"{first!r} is one word too many; see {page}"
        case MissingArgumentError(argument=argument) if argument is not None and not argument.tokens:
            return f"{argument.name} is missing; see {page}"
    error.verbose = False
    message = one_line(error).rstrip(".")
    return message[:1].lower() + message[1:]
