"""House rules H1 to H6 and the sources' named variations: small changes to a rule set, chosen by name."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from rum500.normalised_text import plain_name, plain_text, quoted
from rum500.rules._profile_files import profile_option
from rum500.rules.option_spec import HouseRule
from rum500.rules.options import HOUSE_RULES, RulesetOptions
from rum500.rules.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


__all__ = [
    "Variation",
    "add_house_rules",
    "add_variations",
    "in_force",
    "variations",
    "variations_in_force",
]


@dataclass(frozen=True, slots=True)
class Variation:
    """A variation that a source describes."""

    name: str
    """The name that selects it."""
    title: str
    """The variation in a sentence."""
    source: str
    """The letter of the source."""
    rule: str
    """The id of the rule that it varies."""
    sets: Mapping[str, object]
    """The options that it sets."""
    refused: Sequence[Mapping[str, Any]]
    """The cases in which it cannot be added: `code`, the options and values (`when`), and the `reason`."""


def in_force(rules: RulesetOptions) -> tuple[str, ...]:
    """Return the ids of the house rules in force, without rules of the profile itself (H1 in `500-rum`)."""
    return tuple(
        rule.id
        for rule in HOUSE_RULES.values()
        if getattr(rules, rule.field) == rule.value and (rule.id != "H1" or rules.top_rule_is_house)
    )


def variations_in_force(rules: RulesetOptions) -> tuple[str, ...]:
    """Return the names of the variations in force: those by which a rule set differs from its profile."""
    return tuple(
        name
        for name, each in variations().items()
        if all(getattr(rules, field) == value for field, value in each.sets.items())
        and any(_of_profile(rules.name, field) not in (None, value) for field, value in each.sets.items())
    )


def _of_profile(name: str, field: str) -> object:
    """Return the value of an option in the profile with this name; None if there is no such profile."""
    if not profile_option(name, "name"):
        return None
    stated = profile_option(name, field)
    default: object = {each.name: each.default for each in fields(RulesetOptions)}[field]
    return default if stated is None else stated


def add_house_rules(
    values: Mapping[str, object], ids: Iterable[object], fixed: Mapping[str, object]
) -> tuple[dict[str, object], list[Problem]]:
    """Return the options with house rules added, and the problems found.

    `fixed` contains options that the caller set explicitly.
    """
    changed = dict(values)
    found: list[Problem] = []
    for id_ in dict.fromkeys(ids):
        rule = HOUSE_RULES.get(plain_text(id_).strip().upper()) if isinstance(id_, str) else None
        if rule is None:
            known = ", ".join(HOUSE_RULES)
            found.append(
                Problem(
                    "house-rule-unknown",
                    "",
                    "",
                    f"there is no house rule {quoted(str(id_))}; there are {known}",
                )
            )
            continue
        refused = _refusal(rule, values, fixed)
        if refused:
            found.append(refused)
            continue
        changed[rule.field] = rule.value
        if rule.id == "H1":
            changed["top_rule_is_house"] = True
    return changed, found


def _refusal(rule: HouseRule, values: Mapping[str, object], fixed: Mapping[str, object]) -> Problem | None:
    if rule.id == "H1" and values.get("top_must_meld") is True and not values.get("top_rule_is_house"):
        return Problem(
            "H1-already",
            rule.field,
            "H1",
            "H1 adds nothing: here the top discard, taken alone, "
            "must be melded at once already; leave H1 out",
        )
    if rule.id == "H2" and values.get("go_out") == "meld":
        return Problem(
            "H2-meld-only",
            rule.field,
            "H2",
            "H2 asks for a discard to go out, and here one goes "
            "out by melding the last card only; leave H2 out",
        )
    if rule.field in fixed and fixed[rule.field] != rule.value:
        return Problem(
            "house-rule-contradiction",
            rule.field,
            rule.id,
            f"{rule.id} sets it to {rule.value!r}, "
            f"and {fixed[rule.field]!r} was asked for too; give one of the two",
        )
    return None


@cache
def variations() -> Mapping[str, Variation]:
    """Return the named variations by name, from `variations.toml`."""
    text = resources.files("rum500.rules").joinpath("variations.toml").read_text(encoding="utf-8")
    return {name: Variation(name=name, **entry) for name, entry in tomllib.loads(text).items()}


def add_variations(
    values: Mapping[str, object], names: Iterable[str]
) -> tuple[dict[str, object], list[Problem]]:
    """Return the options with named variations applied, and the problems found."""
    changed = dict(values)
    found: list[Problem] = []
    set_by: dict[str, str] = {}
    for asked in dict.fromkeys(names):
        name = plain_name(asked)
        variation = variations().get(name)
        if variation is None:
            found.append(_unknown_variation(asked))
        elif (case := _case_refused(variation, values)) is not None:
            field = next(iter(case["when"]))
            found.append(Problem(case["code"], field, variation.rule, f"{name}: {case['reason']}"))
        else:
            for field, value in variation.sets.items():
                other = set_by.setdefault(field, name)
                if other != name and changed[field] != value:
                    found.append(
                        Problem(
                            "variation-contradiction",
                            field,
                            variation.rule,
                            f"{other} and {name} cannot both be made; choose one",
                        )
                    )
                changed[field] = value
    return changed, found


def _case_refused(variation: Variation, values: Mapping[str, object]) -> Mapping[str, Any] | None:
    """Return the entry in the variation's `refused` that applies to these options; None if no entry does."""
    for case in variation.refused:
        if _agree(values, case["when"]):
            return case
    return None


def _agree(values: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    return all(values.get(field) == value for field, value in wanted.items())


def _unknown_variation(name: str) -> Problem:
    near = difflib.get_close_matches(plain_name(name), variations(), n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    known = ", ".join(variations())
    return Problem(
        "variation-unknown", "", "", f"there is no variation {quoted(name)}; {hint}there are {known}"
    )
