"""Settings for all tests. Hypothesis draws the same examples on every run; `--whole` makes all tests
thorough.

Tests marked `compiled` are skipped where the engine runs interpreted, about a hundred times slower.
"""

from __future__ import annotations

import gc
import math
import os
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, settings

from rum500._compiled import is_compiled
from rum500.external_bots.engine_client import end_engines
from tests.support.depth import VARIABLE, depth, whole_tests
from tests.support.postgres import PostgresServer, needed, postgres
from tests.support.processes import guarded, left_over
from tests.support.waiting import PATIENCE


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--whole`."""
    parser.addoption("--whole", action="store_true", help="run the tests as deep as `make test-whole` does")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, and set the switch before any test module is imported."""
    config.addinivalue_line("markers", "whole: runs only with --whole, that is in `make test-whole`")
    config.addinivalue_line("markers", "sample(count): without --whole, runs with so many of its parameters")
    config.addinivalue_line("markers", "compiled(why): skipped where the engine runs interpreted")
    config.addinivalue_line(
        "markers", "whole_browser: needs a browser with windows: notifications, installed pages"
    )
    if config.getoption("--whole"):
        os.environ[VARIABLE] = "1"
    settings.register_profile(
        "ci",
        derandomize=True,
        deadline=None,
        max_examples=depth(30, 100),
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    settings.register_profile("explore", settings.get_profile("ci"), derandomize=False, max_examples=1000)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
    os.environ.setdefault("PYTHONMALLOC", "pymalloc")  # or servers would start twice, for large pages
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # or its threads compete with the tests
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell sets this for programs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Exclude all that is loaded from garbage collection: a pass over it takes a quarter of a second."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that run only with `--whole`; skip those that need the compiled engine, if missing."""
    if not is_compiled():
        for item in items:
            if needs := item.get_closest_marker("compiled"):
                why = needs.args[0] if needs.args else "it plays too much for the interpreted one"
                item.add_marker(pytest.mark.skip(reason=f"needs the compiled engine: {why}"))
    if whole_tests():
        return
    later = {item for item in items if item.get_closest_marker("whole")}
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in cases.values():
        count = same[0].get_closest_marker("sample").args[0]
        later |= {*same} - {same[index * len(same) // count] for index in range(count)}
    config.hook.pytest_deselected(items=[item for item in items if item in later])
    items[:] = [item for item in items if item not in later]


@pytest.fixture(scope="session", autouse=True)
def _nothing_outlives_the_tests() -> Iterator[None]:
    """Fail if a process that tests started outlives them; end all of them if this process is killed."""
    with guarded():
        yield
        end_engines()  # as Python does at its end
        left = left_over()
        _, running = psutil.wait_procs(left, timeout=PATIENCE / 10)  # some received a signal a moment ago
        assert [left[each] for each in running] == []


@pytest.fixture(scope="session", autouse=True)
def _no_lines_of_progress() -> Iterator[None]:
    """Keep commands that take longer on a busy machine from printing lines of progress to stderr."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rum500.cli._console.FIRST_LINE_S", math.inf)
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server of PostgreSQL, one for each process that runs tests."""
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of each engine in turn."""
    if request.param == "postgresql":
        needed()
    return str(request.param)


@pytest.fixture
def place(request: pytest.FixtureRequest, engine: str, tmp_path: Path) -> Path | str:
    """The place of a store on each engine: a folder, or the URL of an empty database."""
    if engine == "sqlite":
        return tmp_path
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.emptied_database()


@pytest.fixture
def new_place(request: pytest.FixtureRequest, engine: str, tmp_path: Path) -> Callable[[], Path | str]:
    """Return a function that returns the place of a database that does not exist yet, on each engine."""
    if engine == "sqlite":
        numbers = count()
        return lambda: tmp_path / f"{next(numbers)}.db"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.new_database


@pytest.fixture
def one_writer(place: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit all changes one after another, on PostgreSQL too."""
    if isinstance(place, str):
        from rum500.store.postgres import PostgresDatabase

        monkeypatch.setattr(PostgresDatabase, "writers", 1)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print clearly which tests were skipped because a program is missing: their reasons begin with NOT."""
    reasons = (str(report.longrepr[2]) for report in terminalreporter.getreports("skipped"))
    missing = Counter(
        found[1] for reason in reasons if (found := re.match(r"Skipped: (NOT [A-Z].*)", reason))
    )
    for reason, number in missing.items():
        terminalreporter.section(f"{number} {'test' if number == 1 else 'tests'} {reason}", red=True)
