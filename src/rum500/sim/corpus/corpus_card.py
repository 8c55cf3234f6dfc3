"""The data card of a corpus: Markdown with the YAML header by which `datasets` finds tables and splits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rum500.rules.profiles import profile_names
from rum500.rules.ruleset import Ruleset
from rum500.sim.corpus.corpus import DATA, FACTS, SPLITS, SUMS, TABLES, CorpusFacts, data_file
from rum500.sim.corpus.corpus_plan import MIX, TEST_EVERY
from rum500.sim.data_card import LICENCE, Column, column_lines, sha256
from rum500.sim.parquet import DEAL_COLUMNS, MOVE_COLUMNS, points_columns
from rum500.sim.simulation_card import RULES_FILE, game_name, game_options

CARD = "README.md"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def deal_columns(players: int) -> list[Column]:
    """Return the columns of the table of deals."""
    bots = [Column(f"bot_{seat}", "string", f"bot at seat {seat}") for seat in range(players)]
    return [*DEAL_COLUMNS, *bots, *points_columns(players)]


def make_command(facts: CorpusFacts, rules: Ruleset, folder: str) -> str:
    """Return the command that makes the corpus again."""
    words = ["rum500 corpus make", folder, *game_options(rules), f"--players {facts.players}"]
    words += [f"--deals {facts.deals}", f"--seed {facts.seed}"]
    shares = {name: bot.share for name, bot in facts.bots.items()}
    if shares != MIX:
        words.append(f"--bots {','.join(name for name, share in shares.items() for _ in range(share))}")
    return " ".join(words)


def card(facts: CorpusFacts, rules: Ruleset, folder: Path) -> str:
    """Return the card of a corpus whose Parquet files are in `folder`."""
    return "\n".join([*_header(facts, rules), *_body(facts, rules, folder)]) + "\n"


def _header(facts: CorpusFacts, rules: Ruleset) -> Iterator[str]:
    size = next((name for most, name in _SIZES if facts.deals < most), "1M<n<10M")
    yield from (
        "---",
        "license: cc0-1.0",
        f'pretty_name: "{rules.title}: deals between bots of mixed strength"',
    )
    yield from ("task_categories:", "- reinforcement-learning")
    yield from ("tags:", "- card-games", "- imperfect-information", "- rummy", f"- {rules.name}")
    yield from ("size_categories:", f"- {size}", "configs:")
    for table in TABLES:
        yield f"- config_name: {table}"
        if table == TABLES[0]:
            yield "  default: true"
        yield "  data_files:"
        for split in SPLITS:
            yield f"  - split: {split}"
            yield f"    path: {data_file(table, split)}"
    yield "---"


def _body(facts: CorpusFacts, rules: Ruleset, folder: Path) -> Iterator[str]:
    tested = facts.deals // TEST_EVERY
    yield f"# {game_name(rules)}: {facts.deals:,} deals between bots"
    yield ""
    yield (
        f"{facts.deals:,} deals of {facts.players} players with all {facts.moves:,} actions, played by "
        "rum500. The bots are drawn independently for each seat of each deal. Deal number N is deal number N "
        f"of `rum500 simulate` with the same bots and the seed {facts.seed}. Each can be replayed from its "
        "seed, dealer and moves. Deals do not depend on the number of deals: a small corpus is the beginning "
        "of a large one."
    )
    yield ""
    yield (
        f"Splits: `test` has each {TEST_EVERY}th deal ({tested:,}; numbers that end in {TEST_EVERY - 1}), "
        f"`train` the others ({facts.deals - tested:,})."
    )
    yield from ("", "## Deals", "", "A row is a deal.", "")
    yield from column_lines(deal_columns(facts.players))
    yield from ("", "## Moves", "", "A row is an action; the moves of a deal are in order.", "")
    yield from column_lines(MOVE_COLUMNS)
    yield from (
        "",
        "## Bots",
        "",
        "| bot | share of the seats | seats | points a deal |",
        "|---|---|---|---|",
    )
    total = sum(bot.share for bot in facts.bots.values())
    for name, bot in facts.bots.items():
        yield f"| `{name}` | {bot.share / total:.0%} | {bot.seats:,} | {bot.points:.1f} |"
    yield from ("", "## How it was made", "", "| | |", "|---|---|")
    yield f"| game | {game_name(rules)} |"
    yield f"| seed | {facts.seed} |"
    yield f"| rum500 | {facts.rum500} |"
    yield f"| pyarrow, which wrote the files | {facts.pyarrow} |"
    for source, digest in facts.sources.items():
        yield f"| digest of {source} | `{digest}` |"
    yield f"| checksum of all deals and moves | `{facts.checksum}` |"
    for name in DATA:
        yield f"| SHA-256 of `{name}` | `{sha256(folder / name)}` |"
    yield ""
    yield "The same command and the same versions write the same bytes, with any number of workers:"
    command = make_command(facts, rules, "corpus")
    yield from ("", "```text", command, "```", "")
    yield (
        f"`{SUMS}` has the checksums for `sha256sum -c`, `{FACTS}` the facts above for programs. "
        "`rum500 corpus check` compares the checksums and replays every deal."
    )
    yield from ("", f"Licence: {LICENCE}", "", f"## The rules ({RULES_FILE})", "", "```toml")
    yield from (rules.to_toml().rstrip("\n"), "```")
    if rules.name not in profile_names():
        yield from ("", f"Save these rules as `{RULES_FILE}` before you repeat the command.")
