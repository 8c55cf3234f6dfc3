"""Problems of a rule set, and the errors that report them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rum500.normalised_text import quoted
from rum500.values import Plain

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Problem", "RulesetError", "UnknownProfile", "WrongTypeOfOption"]


@dataclass(frozen=True, slots=True)
class Problem(Plain):
    """One thing that is wrong with a rule set."""

    code: str
    """A stable code."""
    field: str
    """The option at fault, or the number of the deal in a record of several; empty if there is neither."""
    rule: str
    """The id of the rule behind it; empty if there is none."""
    message: str
    """What is wrong, and how to correct it."""
    line: int | None = None
    """The line in the text, from 1; None if the problem is not from a text."""
    column: int | None = None
    """The column, from 1; set for syntax errors only."""

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}"
        if where and self.column is not None:
            where += f", column {self.column}"
        rule = f" ({self.rule})" if self.rule else ""
        short = len(self.field) <= 60 and self.field.isprintable()
        field = self.field if short else quoted(self.field)
        return ": ".join(part for part in (where, field, self.message) if part) + rule


class RulesetError(ValueError):
    """The error of an impossible rule set. `problems` lists everything that is wrong, missing options last.

    `file` is the file that the rule set was read from, if any. The message is one line. It lists the missing
    options together if there are other problems.
    """

    code = "ruleset.impossible"

    def __init__(self, problems: Iterable[Problem], file: str = "") -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(problems, key=_is_missing))
        self.file = file
        super().__init__(self.problems, file)

    def __str__(self) -> str:
        return f"{self.file}: {self._message()}" if self.file else self._message()

    def _message(self) -> str:
        if len(self.problems) == 1:
            return str(self.problems[0])
        parts = [str(problem) for problem in self.problems if not _is_missing(problem)]
        if missing := [problem.field for problem in self.problems if _is_missing(problem)]:
            parts.append(f"lacks: {', '.join(missing)}")
        if len(parts) == 1:
            return parts[0]
        return f"{len(parts)} problems: " + "; ".join(f"({i}) {text}" for i, text in enumerate(parts, 1))


def _is_missing(problem: Problem) -> bool:
    return problem.code == "missing"


class UnknownProfile(RulesetError, LookupError):
    """No profile has this name. The message lists the nearest name and all names."""

    code = "ruleset.unknown"


class WrongTypeOfOption(RulesetError, TypeError):
    """An error of options given in Python: at least one has a wrong type. There may be other problems too."""
