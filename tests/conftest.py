"""Settings for all tests: hypothesis draws the same examples on every run, unless told to explore."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("explore", settings.get_profile("ci"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly which tests were left out for want of a browser."""
    skipped = terminalreporter.getreports("skipped")
    left_out = sorted({each.nodeid for each in skipped if "NO BROWSER" in str(each.longrepr)})
    if left_out:
        said = f"NOT TESTED: {len(left_out)} tests need a Chromium, and there is none"
        terminalreporter.section(said, red=True)
        for name in left_out:
            terminalreporter.line(name, red=True)
