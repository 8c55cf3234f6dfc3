"""Rewrite docs/commands.md and the generated parts of other pages.

In other pages only text between `<!-- generated: NAME -->` and `<!-- end -->` is replaced.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rum500.bots import levels
from rum500.cli import COMMANDS, application
from rum500.review.verdict import BUDGETS
from rum500.rules.profiles import profiles, ruleset
from rum500.server.config import keys
from rum500.sim import study
from rum500.sim.evaluation.leaderboard import leaderboard
from rum500.spaces import Actions, Features, HiddenState, planes
from tools.generate import ROOT

DOCS = ROOT / "docs"
LEVELS = [DOCS / "levels" / f"{level.name}.md" for level in levels()]
PAGES = (
    DOCS / "evaluate.md",
    DOCS / "hosting.md",
    DOCS / "lab.md",
    DOCS / "spaces.md",
    DOCS / "studies.md",
    DOCS / "review.md",
    DOCS / "levels" / "README.md",
    *LEVELS,
)
_OF_THE_SERVER = {"serve", "config"}
"""Commands whose options docs/hosting.md lists."""
_NOISE = re.compile(
    r" -m tools.doc_tables|\n## Table of Contents\n.*?(?=\n\*\*)|, --(no|empty)-[\w-]+"
    r"| \*\[default: (False|\(\))\]\*",
    re.DOTALL,
)
"""What cyclopts adds to the page and users do not need."""
_COMMANDS_HEAD = """\
# Commands

`make generate` writes this page from the commands themselves. `rum500 serve` and `rum500 config` have an
option for [every key](hosting.md#every-key) of the configuration.
"""
_BLOCK = re.compile(r"(<!-- generated: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_ALL = ruleset("rummy-500", house_rules=("H4", "H5", "H6"), stock_out="pass", match="deals")
"""A game whose features have every plane, with two packs from five players on."""
_NAMES = Actions(ruleset("500-rum"), 2).names
_BLOCKS = (
    (re.compile("draw|pass|end|let go"), "draw, pass, end the deal, let a call go"),
    (re.compile("discard"), "discard a card, in the order of a plane of cards"),
    (re.compile("run"), "a run: by suit, then by length from three to thirteen, then by its lowest card"),
    (re.compile(r"set \S+\w \S+\w"), "a set: by rank; without ♠, ♥, ♦, ♣, then all four"),
    (re.compile("set JK"), "three jokers of their own rank, four"),
    (re.compile("take"), "a take from the pile: one card, two …, one less than the deck"),
    (re.compile("call"), "a call, likewise, with H6 only"),
)


def _actions() -> str:
    names = Actions(ruleset("500-rum", house_rules=("H6",)), 2).names
    rows, at = [], 0
    for pattern, meaning in _BLOCKS:
        last = max(number for number, name in enumerate(names) if pattern.match(name))
        if pattern.pattern.startswith(r"set \S"):
            last = max(
                number for number, name in enumerate(names) if name.startswith("set") and "JK" not in name
            )
        rows.append(f"| {at}–{last} | {last - at + 1} | {meaning} | `{names[at]}`, `{names[last]}` |\n")
        at = last + 1
    head = "| numbers | how many | play | first and last name |\n|---|---|---|---|\n"
    return head + "".join(rows) + "\nThe numbers of takes and calls are those of one pack without jokers.\n"


def _planes(layout: planes.Layout) -> str:
    rows = []
    for plane in layout.planes:
        if re.search(r"\+[2-9]$", plane.name):
            continue
        seats = {cell.partition(" ")[0] for cell in plane.cells} == {"own", *(f"+{i}" for i in range(1, 5))}
        size = f"{plane.size // 5} × players" if seats else str(plane.size)
        name, meaning = plane.name, plane.meaning
        if name.endswith("+1"):
            name, meaning = f"{name}, +2 …", meaning.replace("of the next seat", "of that seat, a plane each")
        rows.append(f"| {name} | {size} | {meaning} | {plane.when} |\n")
    return "| plane | cells | what a cell holds | games |\n|---|---|---|---|\n" + "".join(rows)


def _features() -> str:
    return _planes(planes.features(_ALL, 5))


def _hidden() -> str:
    return _planes(planes.hidden_state(_ALL, 5))


def _sizes() -> str:
    rows = []
    for name, rules in profiles().items():
        for players in sorted({rules.players[0], rules.players[-1]}):
            actions = Actions(rules, players)
            sizes = Features(rules, players).size, HiddenState(rules, players).size
            rows.append(
                f"| `{name}` | {players} | {actions.n} | {actions.variants} | {sizes[0]} | {sizes[1]} |\n"
            )
    head = "| profile | players | actions | variants | features | hidden state |\n|---|---|---|---|---|---|\n"
    return head + "".join(rows)


def _runs() -> str:
    rows = []
    number = next(number for number, name in enumerate(_NAMES) if name.startswith("run"))
    blocks: dict[int, list[tuple[int, int]]] = {}
    for _suit in "SHDC":
        for length in range(3, 14):
            count = 15 - length
            blocks.setdefault(length, []).append((number, number + count - 1))
            number += count
    for length, suits in blocks.items():
        first, last = suits[0]
        lows = f"{_low(first)} to {_low(last)}"
        rows.append(f"| {length} | {lows} | {' | '.join(f'{a}–{b}' for a, b in suits)} |\n")
    return "| cards | lowest card | ♠ | ♥ | ♦ | ♣ |\n|---|---|---|---|---|---|\n" + "".join(rows)


def _low(number: int) -> str:
    return _NAMES[number].removeprefix("run ").partition("-")[0][:-1]


def _sets() -> str:
    rows = []
    for number, name in enumerate(_NAMES):
        if name.startswith("set") and len(name.split()) == 5 and "JK" not in name:
            cells = " | ".join(f"{number - 4 + at}" for at in range(5))
            rows.append(f"| {name.split()[1][:-1]} | {cells} |\n")
    head = "| rank | without ♠ | without ♥ | without ♦ | without ♣ | all four |\n|---|---|---|---|---|---|\n"
    return head + "".join(rows)


def _layouts() -> str:
    """Return the positions of the planes of `Features`, with games of the same layout together."""
    games: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for name, rules in profiles().items():
        for players in range(rules.players[0], rules.players[-1] + 1):
            if players in rules.players:
                layout = tuple((plane.name, plane.size) for plane in planes.features(rules, players).planes)
                games.setdefault(layout, []).append(f"`{name}` with {players}")
    parts = []
    for layout, names in games.items():
        rows, at = [], 0
        for name, size in layout:
            rows.append(f"{name} {at}–{at + size - 1}" if size > 1 else f"{name} {at}")
            at += size
        parts.append(f"**{', '.join(names)}**: {'; '.join(rows)}.\n")
    return "\n" + "\n".join(parts) + "\n"


def _levels() -> str:
    rows = []
    for level in levels():
        budget = ", ".join(f"`{key}={value:g}`" for key, value in level.budget.items()) or "–"
        holds = "yes" if level.holds_back else "no"
        rows.append(f"| [`{level.name}`]({level.name}.md) | {level.sentence} | {budget} | {holds} |\n")
    return "| level | in a sentence | budget | holds back |\n|---|---|---|---|\n" + "".join(rows)


def _measures() -> str:
    rows = (f"| `{each.name}` | {each.title} | {each.meaning} |\n" for each in study.MEASURES.values())
    return "| measure | heading | what it is |\n|---|---|---|\n" + "".join(rows)


def _evaluations() -> str:
    found = leaderboard(sorted((DOCS / "evaluations").glob("*.json")))
    assert not found.refused, found.refused
    return found.to_markdown()


def _study() -> str:
    rows = (f"| `{key}` | {meaning} |\n" for key, meaning in study.KEYS.items())
    return "| key | meaning |\n|---|---|\n" + "".join(rows)


def _budgets() -> str:
    rows = [
        f"| `{one.name}` | {one.worlds:,} | {one.least:,} | {one.explore:,} | {one.stop:g} |\n"
        for one in BUDGETS.values()
    ]
    head = "| budget | most worlds | first look | worlds to explore | standard errors to stop |\n"
    return head + "|---|---|---|---|---|\n" + "".join(rows)


def _keys() -> str:
    rows = (
        f"| `{key.name}` | `{key.flag}` | {key.meaning} | {key.kind.expected}; {key.default_shown} |\n"
        for key in keys()
    )
    return "| Key | Flag | Meaning | Values; default |\n|---|---|---|---|\n" + "".join(rows)


def _commands() -> str:
    """Return the page of all commands, except those whose options another page lists."""
    program, sys.argv[0] = sys.argv[0], "rum500"  # cyclopts shows it as the name of nested commands
    try:
        _, *sections = application().generate_docs("markdown", usage_name="rum500").split("\n## ")
    finally:
        sys.argv[0] = program
    kept = [part for part in sections if part.partition("\n")[0].removeprefix("rum500 ") in COMMANDS]
    text = "\n## ".join(part for part in kept if part.split()[1] not in _OF_THE_SERVER)
    text = _NOISE.sub("", text)
    return f"{_COMMANDS_HEAD}\n## {text.replace('```console', '```text').strip()}\n"


_PARTS: dict[str, Callable[[], str]] = {
    **{level.name: partial("{}\n".format, level.sentence) for level in levels()},
    "levels": _levels,
    "keys": _keys,
    "budgets": _budgets,
    "measures": _measures,
    "study": _study,
    "evaluations": _evaluations,
    "actions": _actions,
    "features": _features,
    "hidden": _hidden,
    "sizes": _sizes,
    "runs": _runs,
    "sets": _sets,
    "layouts": _layouts,
}


def files() -> dict[Path, str]:
    """Return the texts of all pages."""
    found = {DOCS / "commands.md": _commands()}
    for page in PAGES:
        text = page.read_text("utf-8")
        found[page] = _BLOCK.sub(lambda block: block[1] + _PARTS[block[2]]() + block[3], text)
    return found
