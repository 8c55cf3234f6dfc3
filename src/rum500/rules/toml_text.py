"""Rule sets as TOML: written with a comment for each option, read with the line of each problem."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

from rum500.rules._validation import unknown_option
from rum500.rules.option_spec import OptionSpec
from rum500.rules.options import BY_FIELD, SECTIONS, stated
from rum500.rules.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["place", "read", "value_text", "write"]

_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


# Writing


def write(values: Mapping[str, object]) -> str:
    """Return the options as TOML text in a fixed order, without those at their neutral value."""
    given = stated(values)
    sections = ("\n".join(_section(title, options, given)) for title, options in SECTIONS)
    return "\n\n".join(sections) + "\n"


def _section(title: str, options: tuple[OptionSpec, ...], values: Mapping[str, object]) -> Iterator[str]:
    yield f"# {title}"
    for option in options:
        if option.field not in values:
            continue
        line = f"{option.field} = {value_text(values[option.field])}"
        rule = f" ({option.rule})" if option.rule and option.rule not in option.comment else ""
        yield f"{line}  # {option.comment}{rule}"


def value_text(value: object) -> str:
    """Return a value in the syntax of TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(_escaped(char) for char in value) + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return str(value)


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else f"\\U{ord(char):08x}"


# Reading

MOST_TOML = 1 << 20
"""The largest size of a rule set's text, in characters or bytes."""


def read(text: str, required: Iterable[str]) -> tuple[dict[str, object], list[Problem]]:
    """Return the options in a TOML text, and the problems with its keys; `place` adds their lines.

    Lists become tuples; the values are not checked here. A text that is not TOML gives one problem with code
    "syntax", line and column.
    """
    if len(text) > MOST_TOML:
        return {}, [Problem("syntax", "", "", f"is longer than {MOST_TOML:,} characters")]
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return {}, [_syntax(error, text)]
    except (ValueError, RecursionError):
        message = "not readable: a number of thousands of digits, or brackets within brackets without end"
        return {}, [Problem("syntax", "", "", message)]
    if len(table) > 2 * len(BY_FIELD):
        return {}, [
            Problem("syntax", "", "", f"has {len(table):,} keys; a rule set has {len(BY_FIELD)} options")
        ]
    found = [unknown_option(key) for key in table if key not in BY_FIELD]
    found += [
        Problem(
            "missing",
            field,
            BY_FIELD[field].rule,
            f"is missing; add a line for it ({BY_FIELD[field].comment})",
        )
        for field in required
        if field not in table
    ]
    values = {key: _tuples(value) for key, value in table.items() if key in BY_FIELD}
    return values, found


def place(problems: Sequence[Problem], text: str) -> Sequence[Problem]:
    """Return these problems with the lines of their options in the text, where known."""
    if any(problem.code == "syntax" for problem in problems):
        return problems
    lines = _key_lines(text)
    return [
        replace(problem, line=lines.get(problem.field)) if problem.line is None else problem
        for problem in problems
    ]


def _tuples(value: object) -> object:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _syntax(error: tomllib.TOMLDecodeError, text: str) -> Problem:
    said = str(error)
    at = _AT.search(said)
    lines = text.split("\n")
    line, column = len(lines), len(lines[-1]) + 1
    if at and at[1]:
        line, column = int(at[1]), int(at[2])
    message = _AT.sub("", said)
    return Problem("syntax", "", "", f"not valid TOML: {message[:1].lower()}{message[1:]}", line, column)


def _key_lines(text: str) -> dict[str, int]:
    """Return the line on which each top-level key or table of a valid TOML text starts."""
    lines: dict[str, int] = {}
    for line, start in _statements(text):
        statement = text[start : text.find("\n", start) + 1 or len(text)]
        try:
            table = tomllib.loads(_head(statement))
        except tomllib.TOMLDecodeError:
            continue
        for key in table:
            lines.setdefault(key, line)
        if statement.startswith("["):
            break
    return lines


def _head(statement: str) -> str:
    """Return a statement with its value replaced by 0, so that the key can be parsed without the value."""
    if statement.startswith("["):
        return statement
    quoted = re.match(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^="'])*""", statement)
    return (quoted[0] if quoted else statement) + "= 0"


_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*|[\[{]|[\]}]|\n|[^\s]|[ \t\r]+",
    re.DOTALL,
)


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield the line and offset at which each statement begins, outside of strings and brackets."""
    line, depth, fresh = 1, 0, True
    for token in _TOKEN.finditer(text):
        said = token[0]
        if said == "\n":
            fresh = fresh or depth == 0
        elif fresh and not said.isspace() and not said.startswith("#"):
            yield line, token.start()
            fresh = False
        if said in "[{":
            depth += 1
        elif said in "]}":
            depth -= 1
        line += said.count("\n")
