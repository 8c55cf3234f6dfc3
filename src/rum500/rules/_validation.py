"""Validation of a rule set's options, which finds all problems in one pass."""

from __future__ import annotations

import difflib
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from rum500.rules._combinations import CHECKS
from rum500.rules.option_spec import HouseRule, OptionSpec
from rum500.rules.options import BY_FIELD, HOUSE_RULES, OPTIONS, RulesetOptions
from rum500.rules.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


__all__ = ["problems_in", "unknown_option"]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_KINDS = {
    "str": "a text",
    "bool": "true or false",
    "int": "a whole number",
    "ints": "a list of whole numbers",
    "strs": "a list of texts",
}


def problems_in(values: Mapping[str, object]) -> tuple[Problem, ...]:
    """Return all problems of these options.

    A check of a combination runs only if all options that it reads are present and valid.
    """
    found: list[Problem] = []
    sound: set[str] = set()
    for option in OPTIONS:
        if option.field in values:
            wrong = list(_wrong_value(option, values[option.field]))
            found.extend(wrong)
            if not wrong:
                sound.add(option.field)
    rules = cast("RulesetOptions", SimpleNamespace(**values))
    for fields, check in CHECKS:
        if sound.issuperset(fields):
            found.extend(check(rules))
    return tuple(found)


def unknown_option(key: str) -> Problem:
    """Return the problem of an unknown option, with the most similar option as a hint."""
    if key == "house_rules":
        hint = f"house rules are options of their own: {', '.join(map(_option_of, HOUSE_RULES.values()))}"
    elif near := difflib.get_close_matches(key, BY_FIELD, n=1):
        hint = f"did you mean {near[0]}?"
    else:
        hint = "take it out"
    empty = "" if key else "an empty key "
    return Problem("unknown-field", key, "", f"{empty}is not an option of a rule set; {hint}")


def _option_of(rule: HouseRule) -> str:
    marked = " with top_rule_is_house" if rule.id == "H1" else ""
    return f"{rule.field}{marked} ({rule.id})"


# One value at a time


def _wrong_value(option: OptionSpec, value: object) -> Iterator[Problem]:
    if not _is_kind(option.kind, value):
        shown = _shown(value)
        yield Problem("type", option.field, option.rule, f"must be {_KINDS[option.kind]}, but it is {shown}")
    elif option.choices:
        if value not in option.choices:
            allowed = ", ".join(f'"{choice}"' for choice in option.choices)
            yield Problem(
                "choice", option.field, option.rule, f"must be one of {allowed}, but it is {_shown(value)}"
            )
    elif option.kind == "int":
        yield from _out_of_range(option, cast("int", value))
    elif option.kind == "ints":
        yield from _wrong_numbers(option, cast("tuple[int, ...]", value))
    elif option.kind in ("str", "strs"):
        yield from _wrong_text(
            option.field, (value,) if isinstance(value, str) else cast("tuple[str, ...]", value)
        )


def _is_kind(kind: str, value: object) -> bool:
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "str":
        return isinstance(value, str)
    return isinstance(value, tuple) and all(_is_kind(kind[:-1], item) for item in value)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number far too large"
    if isinstance(value, tuple):
        return f"[{', '.join(_shown(item) for item in value[:9])}{', …' if len(value) > 9 else ''}]"
    text = f'"{value}"' if isinstance(value, str) and value.isprintable() else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _out_of_range(option: OptionSpec, value: int) -> Iterator[Problem]:
    if not option.low <= value <= option.high:
        yield Problem(
            "range",
            option.field,
            option.rule,
            f"must be from {option.low} to {option.high}, but it is {_shown(value)}",
        )


def _wrong_numbers(option: OptionSpec, numbers: tuple[int, ...]) -> Iterator[Problem]:
    if not numbers:
        yield Problem("empty", option.field, option.rule, "names no number of players; give at least one")
    for number in numbers:
        yield from _out_of_range(option, number)
    if list(numbers) != sorted(set(numbers)):
        wanted = ", ".join(_shown(number) for number in sorted(set(numbers)))
        yield Problem(
            "order", option.field, option.rule, f"must be in rising order, each number once: {wanted}"
        )


def _wrong_text(field: str, texts: tuple[str, ...]) -> Iterator[Problem]:
    for text in texts:
        if field in ("name", "aliases"):
            if not _NAME.fullmatch(text):
                yield Problem(
                    "name",
                    field,
                    "",
                    f"{_shown(text)} is not a name: use lower-case letters a to z, "
                    "digits and single hyphens between them",
                )
        elif not text.isprintable():
            yield Problem(
                "text",
                field,
                "",
                "holds a line break or a character that cannot be shown; write it on one line",
            )
    if field == "aliases" and len(set(texts)) < len(texts):
        yield Problem("order", field, "", "names an alias twice; give each once")
