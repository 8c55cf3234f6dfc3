"""What the compiled modules use of the package `cython` when they run interpreted and it is not installed.

Cython replaces `import cython` when it compiles a module. Interpreted modules need three names of it; C types
stand only in annotations, which are never evaluated.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

compiled: Final = False
"""Never true here: compiled modules do not load this one."""
nogil: Final = nullcontext()
"""Nothing to release."""


def cast(_kind: object, value: Any) -> Any:
    """The value as it is, as a cast between Python objects leaves it."""
    return value
