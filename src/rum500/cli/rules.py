"""`rum500 rules`: a rule set in sentences with rule ids, or the differences between two rule sets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from textwrap import fill
from typing import Annotated

from cyclopts import Parameter

from rum500.cli._inputs import HouseRules, Profile, Variations, read_ruleset
from rum500.rules.ruleset import Ruleset
from rum500.rules.sentences import Sentence, describe, summary_of, title_of

_WIDTH = 79


def command(
    profile: Profile,
    /,
    *,
    diff: Annotated[str | None, Parameter(help="List what this rule set does differently.")] = None,
    house_rules: HouseRules = (),
    variations: Variations = (),
    as_json: Annotated[bool, Parameter(name="--json", help="The same as JSON.")] = False,
    as_toml: Annotated[
        bool, Parameter(name="--toml", help="The rule set as a file that --profile reads.")
    ] = False,
) -> None:
    """List the rules of a rule set, or the differences between two rule sets."""
    rules = read_ruleset(profile, house_rules, variations)
    if as_toml:
        print(rules.replace(title=title_of(rules), summary=summary_of(rules)).to_toml(), end="")
    elif diff is not None:
        other = read_ruleset(diff)
        print(_json_of_difference(rules, other) if as_json else "\n".join(_difference(rules, other)))
    else:
        print(_json_of_rules(rules) if as_json else "\n".join(rule_lines(rules)))


def rule_lines(rules: Ruleset, width: int = _WIDTH) -> Iterator[str]:
    """Yield the lines that describe a rule set, each sentence with its rule's id."""
    yield named(rules)
    if summary := summary_of(rules):
        yield fill(summary, width)
    for heading, sentences in groupby(describe(rules), key=lambda sentence: sentence.heading):
        yield f"\n{heading}"
        yield from (_line(sentence, width) for sentence in sentences)


def named(rules: Ruleset) -> str:
    """Return the title and name of a rule set, with the variations and house rules in force."""
    changes = f", with {' '.join(rules.changes)}" if rules.changes else ""
    return f"{title_of(rules)} ({rules.name}){changes}"


def _line(sentence: Sentence, width: int) -> str:
    text = f"{sentence.text} ({', '.join(sentence.rules)})"
    return fill(text, width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _difference(ours: Ruleset, theirs: Ruleset) -> Iterator[str]:
    differences = ours.diff(theirs)
    yield f"{named(ours)} is “here”, {named(theirs)} “there”."
    if not differences:
        yield "They play by the same rules."
    for difference in differences:
        text = f"{difference.text} ({difference.field})"
        yield fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _json_of_rules(rules: Ruleset) -> str:
    sentences = [asdict(sentence) for sentence in describe(rules)]
    data = {**rules.options(), "house_rules": rules.house_rules, "rules": sentences}
    return json.dumps(data, indent=2, ensure_ascii=False)


def _json_of_difference(ours: Ruleset, theirs: Ruleset) -> str:
    differences = [
        {"field": found.field, "here": found.ours, "there": found.theirs, "text": found.text}
        for found in ours.diff(theirs)
    ]
    data = {"here": ours.name, "there": theirs.name, "differences": differences}
    return json.dumps(data, indent=2, ensure_ascii=False)
