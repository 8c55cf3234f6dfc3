"""Read the profile files of the package."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def profile_texts() -> Iterator[tuple[str, str]]:
    """Yield the name and TOML text of each profile file, sorted by name."""
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
    """Return the value of an option in the profile's file; None if there is no such profile."""
    return _profile_options().get(name, {}).get(field)
