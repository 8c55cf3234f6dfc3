"""The profile files that come with the package, and the names they are asked for by."""

from __future__ import annotations

import difflib
import re
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from rum500.rules._problems import Problem, UnknownProfile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["normal", "profile_option", "profile_texts", "unknown_profile"]


def profile_texts() -> Iterator[tuple[str, str]]:
    """The profile files, as name and TOML text, by name."""
    folder = resources.files("rum500.rules").joinpath("profiles")
    files = {
        file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")
    }
    for name in sorted(files):
        yield name, files[name].read_text(encoding="utf-8")


@cache
def _profile_options() -> Mapping[str, Mapping[str, object]]:
    return {name: tomllib.loads(text) for name, text in profile_texts()}


def profile_option(name: str, field: str) -> object:
    """What an option is in the file of the profile of this name; None if there is no such profile."""
    return _profile_options().get(name, {}).get(field)


def normal(name: str) -> str:
    """A name as the tables hold it: lower case, with single hyphens for spaces, underscores and dashes.

    >>> normal(" Persian_Rummy ")
    'persian-rummy'
    """
    return re.sub(r"[\s_\-–—]+", "-", name.strip().casefold()).strip("-")


def unknown_profile(asked: str, names: Sequence[str], aliases: Iterable[str]) -> UnknownProfile:
    """The error for a name that is none, with the nearest name and all of them."""
    near = difflib.get_close_matches(normal(asked), [*names, *aliases], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    message = f"there is no profile {asked!r}; {hint}there are {', '.join(names)}"
    return UnknownProfile([Problem("unknown-profile", "", "", message)])
