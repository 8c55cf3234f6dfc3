"""The profiles: the rule set of each game of each source, by name or alias.

`profile_rules` never reads a file, so it is for names from untrusted sources; `ruleset` also reads files.

>>> ruleset("persian").name, profile_names()[0]
('persian-rummy', '500-rum')
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Unpack, cast

from rum500.file_reading import NoTextError, TooLargeError, read_text
from rum500.normalised_text import plain_name, quoted
from rum500.rules._profile_files import profile_names, profile_option, profile_text
from rum500.rules.option_types import OptionTypes
from rum500.rules.problems import Problem, RulesetError, UnknownProfile
from rum500.rules.ruleset import Ruleset
from rum500.rules.toml_text import MOST_TOML

STANDARD = "500-rum"
"""The base game: the profile that is used where none is named."""


__all__ = [
    "STANDARD",
    "profile_aliases",
    "profile_names",
    "profile_rules",
    "profiles",
    "ruleset",
    "ruleset_of",
]


@cache
def _profile(name: str) -> Ruleset:
    return Ruleset.from_toml(profile_text(name))


@cache
def profiles() -> Mapping[str, Ruleset]:
    """Return all profiles by name, sorted by name."""
    return MappingProxyType({name: _profile(name) for name in profile_names()})


@cache
def profile_aliases() -> Mapping[str, str]:
    """Return the profile's name for each alias."""
    aliases = {name: cast("list[str]", profile_option(name, "aliases") or []) for name in profile_names()}
    return MappingProxyType({alias: name for name, found in aliases.items() for alias in found})


def ruleset(
    name: str | PathLike[str],
    /,
    house_rules: Iterable[str] = (),
    *,
    variations: Iterable[str] = (),
    **changes: Unpack[OptionTypes],
) -> Ruleset:
    """Return the profile with this name or alias, with variations, house rules and changed options.

    Case, blanks, underscores and dashes in the name do not matter. A path, or a text with a slash or with
    `.toml` at its end, is a file that `Ruleset.from_toml` reads. Raises `UnknownProfile` for an unknown name,
    `RulesetError` for an impossible rule set, `OSError` for a file that cannot be read, and `TypeError` for a
    wrong type.

    >>> ruleset("persian").title, ruleset("rummy-500", restock=True).house_rules
    ('Persian Rummy', ('H5',))
    """
    text = fspath(name)
    is_file = isinstance(name, PathLike) or "/" in text or text.endswith(".toml")
    rules = _from_file(Path(text)) if is_file else profile_rules(text)
    if not (variations or house_rules or changes):
        return rules
    return rules.changed(variations=variations, house_rules=house_rules, options=changes)


def ruleset_of(game: Ruleset | str | PathLike[str]) -> Ruleset:
    """Return the rule set itself, or the one that `ruleset` returns for a name or a path."""
    return game if isinstance(game, Ruleset) else ruleset(game)


def profile_rules(name: str) -> Ruleset:
    """Return the profile with this name or alias. Unlike `ruleset`, this never reads a file."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a profile is a text, not {name!r}")
    wanted = plain_name(name)
    found = wanted if wanted in profile_names() else profile_aliases().get(wanted)
    if found is None:
        raise _unknown_profile(name, profile_names(), profile_aliases())
    return _profile(found)


def _from_file(path: Path) -> Ruleset:
    try:
        return Ruleset.from_toml(read_text(path, MOST_TOML))
    except RulesetError as error:
        raise RulesetError(error.problems, str(path)) from None
    except NoTextError as error:
        raise RulesetError([Problem("encoding", "", "", str(error))], str(path)) from None
    except TooLargeError as error:
        raise RulesetError([Problem("size", "", "", error.strerror)], str(path)) from None


def _unknown_profile(asked: str, names: Sequence[str], aliases: Iterable[str]) -> UnknownProfile:
    """Return the error for an unknown name, with the nearest name and all names."""
    near = difflib.get_close_matches(plain_name(asked[:100]), [*names, *aliases], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    message = f"there is no profile {quoted(asked)}; {hint}there are {', '.join(names)}"
    return UnknownProfile([Problem("unknown-profile", "", "", message)])
