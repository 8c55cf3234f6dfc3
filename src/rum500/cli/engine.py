"""`rum500 engine`: one of our bots as an engine, for other programs to talk to."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib import metadata
from typing import Annotated

from cyclopts import Parameter

from rum500.cli.user_error import UserError
from rum500.external_bots import BotSpecError, open_bot, serve_engine


def command(
    *,
    bot: Annotated[str, Parameter(help="A level, FILE.py, MODULE:CLASS or cmd:COMMAND.")] = "greedy",
) -> None:
    """Speak RBI, the rum bot interface, over stdin and stdout: docs/engine-protocol.md tells how."""
    outgoing = sys.stdout
    with redirect_stdout(sys.stderr):  # what the bot prints is none of the protocol's
        try:
            found = open_bot(bot)
        except BotSpecError as error:
            raise UserError(f"--bot: {error}") from None
        serve_engine(found, f"rum500 {metadata.version('rum500')}", sys.stdin, outgoing)
