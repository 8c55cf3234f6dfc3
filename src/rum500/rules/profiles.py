"""The profiles: the rule set of each game of each source, by name or alias.

>>> ruleset("persian").name, profile_names()[0]
('persian-rummy', '500-rum')
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from rum500.rules._profile_files import profile_texts
from rum500.rules.problems import Problem, UnknownProfile
from rum500.rules.ruleset import Ruleset


@cache
def profiles() -> Mapping[str, Ruleset]:
    """Return all profiles by name, sorted by name."""
    return MappingProxyType({name: Ruleset.from_toml(text) for name, text in profile_texts()})


def profile_names() -> tuple[str, ...]:
    """Return the names of all profiles."""
    return tuple(profiles())


@cache
def profile_aliases() -> Mapping[str, str]:
    """Return the aliases of the profiles, each with the profile's name."""
    return MappingProxyType({alias: name for name, rules in profiles().items() for alias in rules.aliases})


def ruleset(
    name: str, /, house_rules: Iterable[str] = (), *, variations: Iterable[str] = (), **changes: object
) -> Ruleset:
    """Return the profile with this name or alias, with variations, house rules and changed options.

    Case, spaces, underscores and hyphens in the name do not matter. Raises `UnknownProfile` for an unknown
    name and `RulesetError` for an impossible rule set.

    >>> ruleset("persian").title
    'Persian Rummy'
    """
    wanted = _normal(str(name))
    rules = profiles().get(profile_aliases().get(wanted, wanted))
    if rules is None:
        raise _unknown_profile(str(name), profile_names(), profile_aliases())
    if not (variations or house_rules or changes):
        return rules
    return rules.changed(variations=variations, house_rules=house_rules, options=changes)


def _normal(name: str) -> str:
    """Return a name in normal form: lower case, with single hyphens for spaces, underscores and dashes.

    >>> _normal(" Persian_Rummy ")
    'persian-rummy'
    """
    return re.sub(r"[\s_\-–—]+", "-", name.strip().casefold()).strip("-")


def _unknown_profile(asked: str, names: Sequence[str], aliases: Iterable[str]) -> UnknownProfile:
    """Return the error for an unknown name, with the nearest name and all names."""
    near = difflib.get_close_matches(_normal(asked), [*names, *aliases], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    message = f"there is no profile {asked!r}; {hint}there are {', '.join(names)}"
    return UnknownProfile([Problem("unknown-profile", "", "", message)])
