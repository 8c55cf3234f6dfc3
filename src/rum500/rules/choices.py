"""House rules and variations that can be added to a game, and the reasons why some do not fit together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import Problem, RulesetError

if TYPE_CHECKING:
    from rum500.rules.ruleset import Ruleset

__all__ = ["Choice", "check_choices", "choices"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A house rule or variation that can be added to a game, alone or together with another one."""

    id: str
    """The id of the house rule ("H1"), or the name of the variation ("pips")."""
    kind: Literal["house", "variation"]
    """Whether the choice is a house rule or a variation."""
    title: str
    """The rule in a sentence."""
    source: str
    """The letter of its source in the rulebook."""
    problem: Problem | None
    """The reason why it does not fit the choices already made; None if it fits."""


def choices(rules: Ruleset, chosen: Iterable[str] = (), players: int | None = None) -> list[Choice]:
    """Return the house rules and variations that can be added to a game, each with a reason if it does not
    fit.

    `chosen` are the ids and names chosen so far. With `players`, choices that need another number of players
    do not fit either.

    >>> from rum500.rules.profiles import ruleset
    >>> [choice.id for choice in choices(ruleset("500-rummy"), ["pips"])]
    ['H2', 'H3', 'H5', 'H6', 'pips', 'jokers-1', 'jokers-2', 'blind-calls']
    >>> [choice.id for choice in choices(ruleset("500-rummy"), ["pips"]) if choice.problem]
    ['H3', 'blind-calls']
    """
    wanted = frozenset(chosen)
    return [
        Choice(id_, kind, title, source, _caused(rules, wanted, id_, players))
        for id_, kind, title, source in _all()
        if id_ in _offered(rules)
    ]


def check_choices(rules: Ruleset, chosen: Iterable[str], players: int) -> None:
    """Raise `RulesetError` if these choices do not fit together with this number of players."""
    problems = _problems(rules, frozenset(chosen), players)
    if problems:
        raise RulesetError(problems)


@cache
def _all() -> tuple[tuple[str, Literal["house", "variation"], str, str], ...]:
    house = ((id_, "house", rule.title, "R") for id_, rule in HOUSE_RULES.items())
    varied = ((name, "variation", each.title, each.source) for name, each in variations().items())
    return (*house, *varied)  # type: ignore[arg-type]


@cache
def _offered(rules: Ruleset) -> frozenset[str]:
    """Return the ids and names of choices that fit this game alone or together with one other choice."""
    ids = [id_ for id_, *_ in _all()]
    alone = {id_ for id_ in ids if not _problems(rules, frozenset({id_}), None)}
    return frozenset(
        id_
        for id_ in ids
        if id_ in alone or any(not _problems(rules, frozenset({id_, other}), None) for other in alone)
    )


def _caused(rules: Ruleset, chosen: frozenset[str], id_: str, players: int | None) -> Problem | None:
    """Return the first problem that the choice `id_` adds to those of `chosen`; None if it adds none."""
    before = _problems(rules, chosen - {id_}, players)
    return next((one for one in _problems(rules, chosen | {id_}, players) if one not in before), None)


@cache
def _problems(rules: Ruleset, chosen: frozenset[str], players: int | None) -> tuple[Problem, ...]:
    ordered = [id_ for id_, *_ in _all() if id_ in chosen]
    try:
        rules.changed(
            variations=[id_ for id_ in ordered if id_ not in HOUSE_RULES],
            house_rules=[id_ for id_ in ordered if id_ in HOUSE_RULES],
            options={} if players is None else {"players": (players,)},
        )
    except RulesetError as error:
        return error.problems
    return ()
