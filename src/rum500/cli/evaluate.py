"""`rum500 evaluate`: the strength of a bot by a fixed protocol, on one page that can be repeated."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number
from rich.console import Console
from rich.progress import Progress

from rum500.cli import _arena_tables, _console, _run_options
from rum500.cli.user_error import BAD_INPUT, UserError, one_line
from rum500.external_bots import is_level
from rum500.sim import SimulationError
from rum500.sim.arena import Tally
from rum500.sim.evaluation.evaluation_file import Evaluation, Figure, to_json
from rum500.sim.evaluation.evaluation_page import page, picture, points, short
from rum500.sim.evaluation.protocol import FULL, QUICK
from rum500.sim.evaluation.run_evaluation import evaluate
from rum500.sim.evaluation.supervised_bot import MOST_MB, PATIENCE_S, Limits
from rum500.sim.output_files import check_folder, write_atomic

command = App(
    name="evaluate",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 evaluate my_bot.py --quick
  rum500 evaluate my_bot.py --name "My bot 1.2" --out results
  rum500 evaluate "cmd:./engine --fast" club --json
  rum500 leaderboard results/*.json""",
)
FOLDER = Path("evaluations")


@command.default
def play(
    bots: Annotated[
        tuple[str, ...],
        Parameter(
            name="BOT",
            help="One bot or more: a level (club), a level with a budget (expert:worlds=64), FILE.py, "
            "MODULE:CLASS, learned:FILE or cmd:COMMAND.",
        ),
    ],
    /,
    *,
    quick: Annotated[
        bool, Parameter(help="A tenth of the pairs: a first look, which is not compared with the others.")
    ] = False,
    name: Annotated[str, Parameter(help="The name in the results; the bot as written if left out.")] = "",
    patience: Annotated[
        float,
        Parameter(validator=Number(gt=0, lte=86_400), help="Seconds after which a choice counts as hung."),
    ] = PATIENCE_S,
    memory: Annotated[
        int,
        Parameter(
            validator=Number(gt=0), help="Megabytes by which the bot's process may grow; more is a leak."
        ),
    ] = MOST_MB,
    workers: _run_options.Workers = None,
    out: Annotated[
        Path | None,
        Parameter(help=f"The folder for page, picture and figures; {FOLDER} if left out, none with --json."),
    ] = None,
    as_json: _run_options.AsJson = False,
) -> None:
    """Evaluate bots by a fixed protocol: the same opponents, games and cards for every bot.

    The page has the points against levels and three further styles in five games, with 95 % intervals, the
    exact exploitability in toy games, the time of a choice, and a digest that another run of the bot repeats.
    """
    if not bots:
        raise UserError("BOT is missing; name a level, FILE.py, MODULE:CLASS, learned:FILE or cmd:COMMAND")
    if name and len(bots) > 1:
        raise UserError("--name is for one bot, and the others would have the same name")
    folder = _checked(out or (None if as_json else FOLDER))
    failed = False
    for bot in bots:
        try:
            done = _evaluated(bot, quick, name, Limits(patience, memory), workers)
        except SimulationError as error:
            if len(bots) == 1:
                raise
            failed = True
            sys.stderr.write(f"rum500 evaluate: {one_line(error)}\n")
            continue
        if folder is not None:
            _write(done, folder, _repeat(bot, quick, name))
        if as_json:
            print(to_json(done), end="")
        else:
            _print(done, folder, Console(highlight=False, markup=False))
    if failed:
        raise SystemExit(BAD_INPUT)


def _checked(folder: Path | None) -> Path | None:
    if folder is not None and folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is a file; --out names a folder")
    if folder is not None:
        check_folder(folder)
    return folder


def _evaluated(bot: str, quick: bool, name: str, limits: Limits, workers: int | None) -> Evaluation:
    protocol = QUICK if quick else FULL
    whole = sum(plan.pairs for plan in (*protocol.plans(bot), *protocol.opponent_plans))
    bar = _arena_tables.bar(Console(stderr=True))
    with _run_options.playing(None, workers, bar, None, None) as (_, count):
        # Two at least, so that a bot that ends its process or fills its memory does so in another one.
        used = max(count, 2) if workers is None and not is_level(bot) else count
        return evaluate(
            bot, protocol, name=name, limits=limits, workers=used, progress=_Progress(bar, bot, whole)
        )


class _Progress:
    def __init__(self, bar: Progress, bot: str, whole: int) -> None:
        self.bar = bar
        self.task = bar.add_task(bot, total=whole, state="")
        self.done: dict[int, int] = {}

    def __call__(self, tally: Tally) -> None:
        """Update the progress bar with the state of a contest."""
        self.done[id(tally)] = tally.done
        game = f"{tally.plan.rules.name}/{tally.plan.players}"
        self.bar.update(self.task, completed=sum(self.done.values()), state=game)


def _repeat(bot: str, quick: bool, name: str) -> str:
    """Return the command that evaluates a bot again."""
    words = ["rum500 evaluate", _quoted(bot), *["--quick"] * quick]
    return " ".join([*words, f"--name {_quoted(name)}"] if name else words)


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[\w:=./+-]+", text) else '"' + text.replace('"', '\\"') + '"'


def _write(done: Evaluation, folder: Path, repeat: str) -> None:
    """Write the page, the picture and the figures of an evaluation."""
    stem = re.sub(r"\W+", "-", done.bot.removesuffix(".py")).strip("-") or "bot"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / f"{stem}.md", page(done, f"{stem}.svg", repeat))
        write_atomic(folder / f"{stem}.svg", picture(done))
        write_atomic(folder / f"{stem}.json", to_json(done))
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror or error}") from None
    sys.stderr.write(f"Written: {folder / stem}.md, .svg and .json\n")


def _print(done: Evaluation, folder: Path | None, console: Console) -> None:
    found = done.results
    console.print(f"{done.bot}, protocol {done.protocol}", style="bold")
    console.print()
    table = _console.plain_table("Points a deal", ">", "")
    for title, rows in (("", found.games), ("against ", found.opponents)):
        for row in rows:
            table.add_row(f"{title}{short(row.name)}", points(row.points), _verdict(row.points))
    table.add_row("all", points(found.mean), _verdict(found.mean))
    console.print(table)
    console.print()
    toys = ", ".join(f"{toy.points:.2f} in the toy game {toy.toy}" for toy in found.toys)
    console.print(f"Exploitability, points a deal: {toys}")
    times = done.times
    console.print(
        f"A choice: half within {times.median_ms:.2f} ms, 95 of 100 within {times.p95_ms:.2f} ms, "
        f"the longest {times.longest_ms:.2f} ms"
    )
    console.print(f"Digest {done.digest}" + (", which depends on the machine" if done.by_the_clock else ""))


def _verdict(figure: Figure) -> str:
    if figure.low > 0:
        return "ahead"
    return "behind" if figure.high < 0 else "open"
