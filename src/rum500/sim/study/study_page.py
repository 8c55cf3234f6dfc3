"""The page of a study: what was found, what was measured, and how to repeat it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.sim.deals import SimulationError
from rum500.sim.simulation_card import RULES_FILE, simulate_command
from rum500.sim.study.measures import MEASURES
from rum500.sim.study.run_study import StudyResult
from rum500.sim.study.study_definition import cells, value_text
from rum500.sim.study.study_tables import StudyTable, difference_table, figure_table, pairing

_WIDTH = 118


def page(done: StudyResult, data: bool = True) -> str:
    """Return the page as Markdown. `data` says whether the Parquet files are beside it."""
    return "\n".join(_wrapped(_lines(done, data))).rstrip() + "\n"


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    """Yield these lines, with prose wrapped; tables, headings and commands stay on one line."""
    is_prose = True
    for line in lines:
        if line.startswith("```"):
            is_prose = not is_prose
        if not is_prose or line.startswith(("|", "#", "!")):
            yield line
        else:
            indent = "  " * line.startswith("- ")
            yield textwrap.fill(line, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _lines(done: StudyResult, data: bool) -> Iterator[str]:
    study = done.study
    yield f"# {study.title}"
    yield ""
    if study.about:
        yield " ".join(study.about.split())
        yield ""
    fixed = [value_text(factor, values[0]) for factor, values in study.factors.items() if len(values) == 1]
    count = len(done.cells)
    cells_played = f"{count:,} cell{'s' * (count > 1)} of {study.deals:,} deals, all on the same shuffles"
    yield cells_played + (f"; in all of them: {', '.join(fixed)}." if fixed else ".")
    yield ""
    yield from _differences(done)
    yield "## All cells" if done.study.compare else "## What was found"
    yield ""
    yield from markdown(figure_table(done))
    yield ""
    if not done.study.compare:
        yield from _pictures(done)
    yield from _skipped(done)
    yield from _measured(done)
    yield from _repeated(done, data)


def _differences(done: StudyResult) -> Iterator[str]:
    table = difference_table(done)
    if table is None:
        return
    study = done.study
    yield "## What was found"
    yield ""
    yield (
        f"Each cell less the one with *{value_text(study.compare, study.factors[study.compare][0])}* and "
        "otherwise the same. Bold: the 95 % interval leaves out 0; where there is no difference, one in "
        "twenty does so by chance."
    )
    yield ""
    yield from markdown(table)
    yield ""
    yield from _pictures(done)
    ratios = ", ".join(f"{MEASURES[name].title.lower()} {ratio:.1f}" for name, ratio in pairing(done).items())
    yield (
        "Cells that are compared were played on the same shuffles. On different ones these intervals would "
        f"be wider, by these factors: {ratios}."
    )
    yield ""


def _pictures(done: StudyResult) -> Iterator[str]:
    for name in done.study.measures:
        yield f"![{MEASURES[name].title}]({name}.svg)"
        yield ""


def _skipped(done: StudyResult) -> Iterator[str]:
    if not done.skipped:
        return
    yield "## Left out"
    yield ""
    reasons: dict[str, list[str]] = {}
    for cell in done.skipped:
        words = ", ".join(value_text(factor, cell.values[factor]) for factor in done.study.varied)
        reasons.setdefault(cell.reason, []).append(words)
    for reason, them in reasons.items():
        yield f"- {'; '.join(them)}: {reason}"
    yield ""


def _measured(done: StudyResult) -> Iterator[str]:
    yield "## What was measured"
    yield ""
    for name in done.study.measures:
        yield f"- **{MEASURES[name].title}** (`{name}`): {MEASURES[name].meaning}."
    yield from _legend(done)
    if done.study.luck_orders:
        yield (
            f"- Luck is measured as in a review, over {done.study.luck_orders} orders of the stock, with "
            "factors that were fixed beforehand; see docs/review-luck.md."
        )
    yield ""
    for line in done.notes.footnotes():
        yield line
        yield ""


def _legend(done: StudyResult) -> Iterator[str]:
    titles = {id_: rule.title for id_, rule in HOUSE_RULES.items()}
    titles |= {name: variation.title for name, variation in variations().items()}
    named = [
        str(value) for factor in ("house_rules", "variations") for value in done.study.factors.get(factor, ())
    ]
    for word in dict.fromkeys(word for value in named for word in value.replace(",", " ").split()):
        if word in titles:
            yield f"- **{word}**: {titles[word]}."


def _repeated(done: StudyResult, data: bool) -> Iterator[str]:
    study = done.study
    yield "## How to repeat it"
    yield ""
    yield "```text"
    yield f"rum500 study {study.name}.toml"
    yield "```"
    yield ""
    yield (
        f"with the file below as `{study.name}.toml`. The numbers of workers, shards and machines change "
        "nothing."
    )
    files = "`figures.json` has all figures"
    files += ", `cells.parquet` too" if data else ""
    files += ", `deals.parquet` all deals" if data and study.keep_deals else ""
    yield f"{files}."
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| rum500 | {done.version} |"
    for name, held in done.sources.items():
        yield f"| digest of {name} | `{held}` |"
    yield f"| seed | {study.seed} |"
    yield f"| checksum of all cells | `{done.checksum}` |"
    yield ""
    yield "```toml"
    yield from study.text.splitlines()
    yield "```"
    yield ""
    yield "The cells one by one, which `rum500 simulate` plays with the same checksums:"
    yield ""
    yield "```text"
    for cell, command in zip(done.cells, _commands(done), strict=True):
        yield f"{cell.checksum}  {command}"
    yield "```"


def _commands(done: StudyResult) -> Iterator[str]:
    try:
        found, _ = cells(done.study)
    except (RulesetError, SimulationError, OSError):
        found = []
    for number, cell in enumerate(done.cells):
        command = simulate_command(found[number].plan.simulation) if number < len(found) else RULES_FILE
        words = ", ".join(value_text(factor, cell.values[factor]) for factor in done.study.varied)
        yield words if RULES_FILE in command else command


def markdown(table: StudyTable) -> Iterator[str]:
    """Yield a table as Markdown."""
    yield f"| {' | '.join(table.heads)} |"
    yield "|" + "---|" * table.factors + "---:|" * (len(table.heads) - table.factors)
    for row, texts in enumerate(table.rows):
        shown = (f"**{text}**" if (row, at) in table.clear else text for at, text in enumerate(texts))
        yield f"| {' | '.join(shown)} |"
