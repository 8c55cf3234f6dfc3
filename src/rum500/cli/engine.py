"""`rum500 engine`: one of the built-in bots as an engine for other programs."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib import metadata

from rum500.cli._inputs import BotName
from rum500.cli.user_error import UserError
from rum500.external_bots import BotSpecError, open_bot, serve_engine


def command(
    *,
    bot: BotName = "greedy",
) -> None:
    """Speak RBI, the rum bot interface, over stdin and stdout; see docs/engine-protocol.md."""
    outgoing = sys.stdout
    with redirect_stdout(sys.stderr):  # a bot may print, and stdout is for the protocol
        try:
            found = open_bot(bot)
        except BotSpecError as error:
            raise UserError(f"--bot: {error}") from None
        serve_engine(found, f"rum500 {metadata.version('rum500')}", sys.stdin, outgoing)
