"""`rum500 study`: games, options, players and bots crossed and compared, as a file says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

from rum500.cli import _console, _run_options
from rum500.cli.user_error import UserError
from rum500.sim import study as _study

command = App(
    name="study",
    help_format="plaintext",
    help_epilogue="""\
A study is a file such as this one; docs/studies.md has all its keys:

  deals = 20000
  [vary]
  profile = ["500-rum", "rummy-500"]
  house_rules = ["none", "H2", "H5 H6"]
  bots = "club"
  [show]
  measures = ["points", "out"]
  compare = "house_rules"

Examples:
  rum500 study house-rules.toml
  rum500 study house-rules.toml --run study.run --out results
  rum500 study house-rules.toml --shard 1/2 --run part-1.run
  rum500 study merge part-1.run part-2.run --out results""",
)

_Out = Annotated[
    Path | None, Parameter(help="The folder for page, charts and data; the name of the study if left out.")
]


@command.default
def play(
    file: Annotated[Path, Parameter(name="FILE", help="The study, a TOML file.")],
    /,
    *,
    workers: _run_options.Workers = None,
    executor: _run_options.ExecutorAt = None,
    shard: _run_options.ShardText = None,
    run: _run_options.RunFile = None,
    out: _Out = None,
    as_json: _run_options.AsJson = False,
) -> None:
    """Play every combination of what a study varies, compare them, and write a page with tables and charts.

    All combinations are played on the same shuffles. The same seed gives the same bytes for any number of
    workers, shards or machines, unless a bot has a time limit. A shard writes no page; merge does.
    """
    part = _run_options.read_shard(shard, run)
    bar = _console.bar(Console(stderr=True))
    asked = _study.Study.read(file)
    found, _ = _study.cells(asked)
    folder = Path(asked.name) if out is None else out
    if shard is None:
        _study.check_folder(folder)
    with _run_options.playing(executor, workers, bar, run, file) as (there, count):
        task = bar.add_task(asked.title, total=len(found) * len(part.items(asked.deals)))
        done = _study.study(
            asked,
            workers=count,
            executor=there,
            shard=part,
            run=run,
            progress=lambda played: bar.update(task, completed=played),
        )
    if done is None:
        print(_run_options.shard_line("study", part, run))
    else:
        _finish(done, folder, as_json)


@command.command
def merge(
    files: _run_options.ShardFiles, /, *, out: _Out = None, as_json: _run_options.AsJson = False
) -> None:
    """Merge the shards of a study and write its page, the same as without shards."""
    done = _study.merge_files(files)
    folder = Path(done.study.name) if out is None else out
    _study.check_folder(folder)
    _finish(done, folder, as_json)


def _finish(done: _study.StudyResult, folder: Path, as_json: bool) -> None:
    try:
        _study.write(done, folder)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror or error}") from None
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
        return
    study, console = done.study, Console(highlight=False, markup=False)
    print(f"{study.title}: {len(done.cells):,} cells of {study.deals:,} deals, seed {study.seed}")
    differences = _study.difference_table(done)
    if differences is None:
        _print(_study.figure_table(done), console)
    else:
        _print(differences, console)
        first = _study.cell_name(
            study, done.cells[0].values, [each for each in study.varied if each != study.compare]
        )
        print(f"Less the cells with {first}. Bold: the 95 % interval leaves out 0.")
    if done.skipped:
        print(
            f"{len(done.skipped):,} combinations are left out: a game does not allow them; the page says why."
        )
    for line in done.notes.footnotes():
        print(line)
    print(f"Checksum {done.checksum}")
    print(f"Written to {folder / _study.PAGE}")


def _print(table: _study.StudyTable, console: Console) -> None:
    """Print a table in full width: the terminal wraps long lines instead of cutting them."""
    factors, measures = table.heads[: table.factors], table.heads[table.factors :]
    shown = _console.plain_table(*factors, *(f">{head}" for head in measures), gap=1)
    for row, texts in enumerate(table.rows):
        bold = ("bold" if (row, at) in table.clear else "" for at in range(len(texts)))
        shown.add_row(*map(Text, texts, bold))
    console.width = max(console.width, Console(width=1000).measure(shown).maximum)
    console.print(shown)
