"""A rule set in a text file: a profile's name with changed options, or a block of TOML.

profile: 500-rum
house rules: H1 H6
option target: 300
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rum500.rules.problems import Problem, RulesetError
from rum500.rules.profiles import profile_names, profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.rules.toml_text import value_text
from rum500.state.text_lines import KeyLine

KEYS = ("profile", "house rules", "option", "ruleset")


def rules_lines(rules: Ruleset) -> list[str]:
    """Return the lines that describe this rule set; `read_rules` reads them."""
    if rules.name in profile_names():
        base = profile_rules(rules.name)
        house = tuple(rule for rule in rules.house_rules if rule not in base.house_rules)
        start = _changed(base, house, {})
        if start is None:  # without the changed options, the house rules are impossible
            start, house = base, ()
        has = start.options()
        changes = {key: value for key, value in rules.options().items() if value != has[key]}
        if _changed(base, house, changes) == rules:
            lines = [f"house rules: {' '.join(house)}"] if house else []
            options = [f"option {key}: {value_text(value)}" for key, value in changes.items()]
            return [f"profile: {rules.name}", *lines, *options]
    return ["ruleset:"] + [f"| {line}".rstrip() for line in rules.to_toml().splitlines()]


def _changed(base: Ruleset, house: tuple[str, ...], changes: dict[str, object]) -> Ruleset | None:
    try:
        return base.changed(house_rules=house, options=changes)
    except RulesetError:
        return None


def read_rules(
    lines: Sequence[KeyLine], block: Sequence[str], kind: str
) -> tuple[Ruleset | None, list[Problem]]:
    """Return the rule set in these lines, or their problems; `block` has the TOML lines of `ruleset:`."""
    first = {
        " ".join(line.key[:2]) if line.key[0] == "house" else line.key[0]: line for line in reversed(lines)
    }
    if "ruleset" in first:
        at = first["ruleset"].line
        others = [line for line in lines if line.key != ("ruleset",)]
        if others:
            message = "a ruleset block is complete: take out 'profile', 'house rules' and 'option'"
            return None, [Problem(f"{kind}.rules", "", "", message, others[0].line, others[0].column)]
        try:
            return Ruleset.from_toml("\n".join(block)), []
        except RulesetError as error:
            return None, [_moved(problem, at) for problem in error.problems]
    if "profile" not in first:
        message = f"no line 'profile: NAME'; the profiles are {', '.join(profile_names())}"
        line = lines[0].line if lines else 1
        return None, [Problem(f"{kind}.rules", "", "", message, line, 1)]
    return _profile(first["profile"], first.get("house rules"), lines, kind)


def _profile(
    name: KeyLine, house: KeyLine | None, lines: Sequence[KeyLine], kind: str
) -> tuple[Ruleset | None, list[Problem]]:
    changes, found = _changes([line for line in lines if line.key[0] == "option"], kind)
    ids = house.value.replace(",", " ").upper().split() if house else []
    if found:
        return None, found
    try:
        return profile_rules(name.value).changed(house_rules=ids, options=changes), []
    except RulesetError as error:
        at = {line.key[1]: line for line in lines if line.key[0] == "option"}
        return None, [_placed(problem, at.get(problem.field, house or name)) for problem in error.problems]


def _changes(lines: Iterable[KeyLine], kind: str) -> tuple[dict[str, object], list[Problem]]:
    """Return the changed options, and the problems of their lines."""
    changes: dict[str, object] = {}
    found = []
    for line in lines:
        code, key = f"{kind}.option", " ".join(line.key[1:])
        if not key.isidentifier() or key in changes:
            message = "expected one line 'option NAME: VALUE' for each changed option"
            found.append(Problem(code, "", "", message, line.line, line.column))
            continue
        try:
            changes[key] = tomllib.loads(f"value = {line.value}")["value"]
        except (ValueError, RecursionError):
            message = f'found {line.value[:40]!r}, expected a value such as 300, true, "end" or [4]'
            found.append(Problem(code, key, "", message, line.line, line.at))
    return changes, found


def _moved(problem: Problem, above: int) -> Problem:
    """Convert a problem's line and column in the block to those in the file, where `| ` begins each line.

    `above` is the number of lines of the file above the block.
    """
    column = None if problem.column is None else problem.column + 2
    return replace(problem, line=above + (problem.line or 0), column=column or 1)


def _placed(problem: Problem, line: KeyLine) -> Problem:
    return replace(problem, line=line.line, column=line.at)
