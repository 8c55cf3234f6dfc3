"""What can be wrong with a rule set, and the errors that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Problem", "RulesetError", "UnknownProfile"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable code, the option, the rule behind it, and what to do.

    `line` and `column` count from 1 and are set where the problem was found in a text; `field` is ""
    where no single option is at fault, `rule` is "" where no rule of the game is.
    """

    code: str
    field: str
    rule: str
    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}"
        if self.column is not None:
            where += f", column {self.column}"
        rule = f" ({self.rule})" if self.rule else ""
        field = self.field if self.field.isprintable() else repr(self.field)
        return ": ".join(part for part in (where, field, self.message) if part) + rule


class RulesetError(ValueError):
    """A rule set that cannot be; `problems` holds everything that is wrong with it, missing options last.

    The message is one line, which names the missing options together where there is more to say.
    """

    code = "ruleset.impossible"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(problems, key=_is_missing))
        super().__init__(self.problems)

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return str(self.problems[0])
        told = [str(problem) for problem in self.problems if not _is_missing(problem)]
        if missing := [problem.field for problem in self.problems if _is_missing(problem)]:
            told.append(f"lacks: {', '.join(missing)}")
        if len(told) == 1:
            return told[0]
        return f"{len(told)} problems: " + "; ".join(f"({i}) {text}" for i, text in enumerate(told, 1))


def _is_missing(problem: Problem) -> bool:
    return problem.code == "missing"


class UnknownProfile(RulesetError, LookupError):
    """No profile goes by this name; the message lists the nearest names and all of them."""

    code = "ruleset.unknown"
