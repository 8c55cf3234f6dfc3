"""`rum500 profiles`: the rule sets and their options."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import Annotated

from cyclopts import Parameter

from rum500.rules.english import numbers
from rum500.rules.options import BY_FIELD, SECTIONS
from rum500.rules.profiles import profiles, ruleset
from rum500.rules.ruleset import Ruleset

_WIDTH = 79


def command(
    *names: Annotated[str, Parameter(name="PROFILE", help="Profiles whose every option to list.")],
    as_json: Annotated[
        bool, Parameter(name="--json", help="One list of objects, every option in each.")
    ] = False,
) -> None:
    """List the rule sets, or all options of the named rule sets."""
    chosen = [ruleset(name) for name in names] or list(profiles().values())
    if as_json:
        print(json.dumps([rules.options() for rules in chosen], indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(_in_full(rules) if names else _in_short(rules) for rules in chosen))


def _in_short(rules: Ruleset) -> str:
    return "\n".join([_heading(rules), *_summary(rules)])


def _heading(rules: Ruleset) -> str:
    return f"{rules.name}: {rules.title}, {numbers(rules.players)} players, source {rules.source}"


def _summary(rules: Ruleset) -> Iterator[str]:
    yield fill(rules.summary, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    if rules.aliases:
        yield f"  also {', '.join(rules.aliases)}"


def _in_full(rules: Ruleset) -> str:
    return "\n".join([_in_short(rules), *_options(rules)])


def _options(rules: Ruleset) -> Iterator[str]:
    for heading, options in SECTIONS[1:]:
        yield f"\n  {heading}"
        for option in options:
            value = shown(getattr(rules, option.field))
            yield f"    {option.field:<28} {value:<12} {BY_FIELD[option.field].comment}"


def shown(value: object) -> str:
    """Return an option's value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return numbers([int(part) for part in value])
    return str(value)
