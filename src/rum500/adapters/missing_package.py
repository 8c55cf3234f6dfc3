"""The error for a package that an adapter needs and that is not installed."""

from __future__ import annotations

from typing import Literal


def missing_package(error: ModuleNotFoundError, extra: Literal["learn", "spiel"]) -> ModuleNotFoundError:
    """Return the error with the extra of rum500 that installs the package."""
    return ModuleNotFoundError(f"{error}; it comes with: pip install 'rum500[{extra}]'", name=error.name)
