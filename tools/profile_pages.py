"""Rewrite the generated parts of docs/profiles/*.md from the profiles.

Only text between `<!-- generated: NAME -->` and `<!-- end -->` is replaced.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES, OPTIONS, RULE_FIELDS
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profiles
from rum500.rules.sentences import describe
from tools.generate import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from rum500.rules.ruleset import Ruleset

PAGES = ROOT / "docs" / "profiles"
BASE = "500-rum"  # the game with which the others are compared
_BLOCK = re.compile(r"(<!-- generated: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _name(rules: Ruleset) -> str:
    aliases = ", ".join(f"`{alias}`" for alias in rules.aliases)
    return f"`{rules.name}`" + (f", also {aliases}. " if aliases else ". ") + rules.summary + "\n"


def _differences(rules: Ruleset) -> str:
    differences = profiles()[BASE].diff(rules)
    if not differences:
        return "None.\n"
    return f"Against [500 Rum]({BASE}.md), which is “here”:\n\n" + "".join(
        f"- {d.text}\n" for d in differences
    )


def _rules(rules: Ruleset) -> str:
    parts = []
    for heading, sentences in groupby(describe(rules), key=lambda sentence: sentence.heading):
        lines = "".join(
            f"- {sentence.text} {' '.join(f'`{rule}`' for rule in sentence.rules)}\n"
            for sentence in sentences
        )
        parts.append(f"**{heading}**\n\n{lines}")
    return "\n".join(parts)


def _options(rules: Ruleset) -> str:
    rows = (
        f"| `{option.field}` | {_shown(getattr(rules, option.field))} | {option.rule} |\n"
        for option in OPTIONS
        if option.field in RULE_FIELDS
    )
    return "| option | value | rule |\n|---|---|---|\n" + "".join(rows)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _house(rules: Ruleset) -> str:
    return "".join(
        f"- {id_}, {house.title}: {_verdict(partial(rules.with_house_rules, id_))}\n"
        for id_, house in HOUSE_RULES.items()
    )


def _variations(rules: Ruleset) -> str:
    return "".join(
        f"- `{name}`, {variation.title} ({variation.source}): "
        f"{_verdict(partial(rules.with_variations, name)).replace(f'{name}: ', '')}\n"
        for name, variation in variations().items()
    )


def _verdict(attempt: Callable[[], Ruleset]) -> str:
    try:
        attempt()
    except RulesetError as error:
        return "**refused**: " + "; ".join(problem.message for problem in error.problems) + "."
    return "makes sense."


_PARTS = {
    "name": _name,
    "differences": _differences,
    "rules": _rules,
    "options": _options,
    "variations": _variations,
    "house": _house,
}


def written(page: str, rules: Ruleset) -> str:
    """Return the page with each generated part for this rule set."""
    return _BLOCK.sub(lambda block: block[1] + _PARTS[block[2]](rules) + block[3], page)


def files() -> dict[Path, str]:
    """Return the text of each page."""
    pages = {PAGES / f"{name}.md": rules for name, rules in profiles().items()}
    return {path: written(path.read_text("utf-8"), rules) for path, rules in pages.items()}
