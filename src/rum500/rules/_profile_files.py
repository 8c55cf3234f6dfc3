"""The texts of the profile files in the package. Each file is read when it is first needed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

_FOLDER = resources.files("rum500.rules").joinpath("profiles")


@cache
def profile_names() -> tuple[str, ...]:
    """Return the names of all profiles, sorted."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    )


@cache
def profile_text(name: str) -> str:
    """Return the TOML text of a profile's file."""
    return _FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8")


@cache
def _options(name: str) -> Mapping[str, object]:
    return tomllib.loads(profile_text(name)) if name in profile_names() else {}


def profile_option(name: str, field: str) -> object:
    """Return the value of an option in a profile's file; None if there is no such file or no such option."""
    return _options(name).get(field)
