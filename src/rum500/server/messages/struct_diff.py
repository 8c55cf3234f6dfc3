"""The differences between two versions of a part of a message. Compiled, or interpreted."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

from msgspec import Struct
from msgspec.structs import astuple


def diff(before: Struct, after: Struct) -> dict[str, Any]:
    """Return the fields of `after`, by name, that differ from `before`, a struct of the same type."""
    i: cython.Py_ssize_t
    old: tuple[Any, ...] = astuple(before)
    new: tuple[Any, ...] = astuple(after)
    names: tuple[str, ...] = after.__struct_fields__
    changed: dict[str, Any] = {}
    for i in range(len(new)):
        # Most fields are the same objects, so identity is compared before equality.
        if old[i] is not new[i] and old[i] != new[i]:
            changed[names[i]] = new[i]
    return changed
