"""A replacement for the package `cython`, used when it is not installed and modules run interpreted.

Cython itself handles `import cython` when it compiles a module. Interpreted modules need three of its names;
C types occur only in annotations, which are never evaluated.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

compiled: Final = False
"""Always false: compiled modules do not load this one."""
nogil: Final = nullcontext()
"""A context that does nothing."""


def cast(_kind: object, value: Any) -> Any:
    """Return the value unchanged, like a cast between Python objects."""
    return value
