"""What import-linter does not check: Cython's cimports, and which modules a process loads."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYERS = next(contract["layers"] for contract in CONTRACTS if contract["id"] == "layers")
#: The height of each layer's package: 0 is the lowest. Neighbours in one layer do not see each other.
HEIGHTS = {name: height for height, layer in enumerate(LAYERS[::-1]) for name in re.findall(r"\w+", layer)}


def loaded_by(module: str) -> set[str]:
    """The modules that a new process has loaded once it has imported this one."""
    code = f"import {module}, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_cimports_go_down() -> None:
    found = 0
    for source in [*ROOT.glob("src/rum500/**/*.py"), *ROOT.glob("src/rum500/**/*.pxd")]:
        here = source.relative_to(ROOT / "src/rum500").with_suffix("").parts[0]
        for line in re.findall(r".*\bcimports?\b.*", source.read_text()):
            for there in re.findall(r"\brum500\.(\w+)", line):
                found += 1
                assert there == here or HEIGHTS[there] < HEIGHTS[here], f"{source}: {line}"
    assert found > 20


def test_the_root_package_loads_no_bots_and_no_server() -> None:
    loaded = loaded_by("rum500")
    assert {name for name in loaded if name.startswith("rum500")} == {"rum500", "rum500._compiled"}
    assert len(loaded) <= 90
    above = {f"rum500.{layer}" for layer in LAYERS[: LAYERS.index("match")]}
    assert not above & loaded_by("rum500.match")


def test_a_review_process_loads_neither_the_database_nor_the_server() -> None:
    loaded = loaded_by("rum500.server.reviewing.review_work")
    assert {"rum500.store", "rum500.server.live"} < loaded
    assert loaded.isdisjoint({"sqlalchemy", "structlog", "asyncio", "starlette"})


def test_a_server_that_nobody_uses_has_loaded_no_large_library_that_it_may_never_need() -> None:
    loaded = loaded_by("rum500.cli.serve")
    assert {"rum500.server.run", "sqlalchemy"} < loaded
    rare = {"aiohttp", "alembic", "cryptography", "numpy", "polars", "pyarrow", "pywebpush", "resvg_py"}
    assert loaded.isdisjoint(rare | {"asyncpg", "psycopg", "rum500.sim", "rum500.adapters", "rum500.lab"})
