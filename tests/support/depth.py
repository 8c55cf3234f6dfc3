"""How thorough a test is: quick in `make test`, complete in `make test-whole`.

The switch is an environment variable, so that it also applies while test modules are imported, in the workers
of xdist and in processes that tests start. The option `--whole` sets it (see tests/conftest.py).
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

VARIABLE = "RUM500_WHOLE_TESTS"


def whole_tests() -> bool:
    """Return whether this run is as thorough as `make test-whole`."""
    return bool(os.environ.get(VARIABLE))


def depth(quick: T, whole: T) -> T:
    """Return `quick`, or `whole` in a run with `--whole`: a number of deals, or the seeds to play."""
    return whole if whole_tests() else quick
