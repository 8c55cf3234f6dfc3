"""`rum500 leaderboard`: many evaluations as one table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from rum500.cli.user_error import BAD_INPUT, UserError
from rum500.sim.evaluation.leaderboard import leaderboard
from rum500.sim.output_files import write_atomic

command = App(
    name="leaderboard",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 leaderboard evaluations/*.json
  rum500 leaderboard mine.json theirs.json --out leaderboard.md""",
)


@command.default
def show(
    files: Annotated[
        tuple[Path, ...],
        Parameter(name="FILES", help="The figures of evaluations, written by rum500 evaluate."),
    ],
    /,
    *,
    out: Annotated[
        Path | None, Parameter(help="Write the tables to this file; print them if left out.")
    ] = None,
) -> None:
    """Show evaluations as a Markdown table, the best bot first.

    Evaluations of another protocol, or against other opponents, have a table of their own. A file that is no
    evaluation is reported in one line, the others are shown, and the exit code is 2.
    """
    if not files:
        raise UserError("FILES are missing; rum500 evaluate writes them")
    found = leaderboard(files)
    for line in (*found.refused, *found.apart):
        sys.stderr.write(f"rum500 leaderboard: {line}\n")
    text = found.to_markdown()
    if out is None:
        print(text, end="")
    elif text:
        try:
            write_atomic(out, f"# Leaderboard\n\n{text}")
        except OSError as error:
            raise UserError(f"{error.filename or out}: {error.strerror or error}") from None
        print(f"Written to {out}")
    if found.refused:
        raise SystemExit(BAD_INPUT)
