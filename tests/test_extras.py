"""rum500 alone works without the packages of its extras; a command that needs one names the extra.

A process that cannot import these packages stands for an environment in which they are not installed;
tests/test_installed_wheel.py installs into real ones.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import rum500
from rum500.extras import install_command, missing_extra

#: Runs command lines where the packages named first cannot be found; prints code, output and errors of each.
RUN = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
absent, lines = json.load(sys.stdin)
class Absent:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent)
from rum500.cli import main
done = []
for line in lines:
    sys.stdin = io.StringIO()
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as errors:
        code = main(line.split())
    done.append((code, out.getvalue(), errors.getvalue()))
print(json.dumps(done))
"""
ALONE = [
    "--version",
    "--help",
    "profiles",
    "rules persian-rummy",
    "melds --count",
    "play --seed 1 --profile michigan-rum --record match.rum500",
    "replay match.rum500 --verify",
    "legal state.rum500",
    "perft state.rum500",
    "simulate --deals 3 --bots club --workers 1",
    "arena --bots greedy,random --pairs 2 --unit deal --workers 1",
    "ladder --help",
    "engine --help",
    "bot new my_bot",
    "bot test greedy --deals 1 --profile 500-rum",
]
NEEDS = {
    "serve": "table",
    "config": "table",
    "doctor": "table",
    "backup data.tar": "table",
    "restore data.tar": "table",
    "bot join http://127.0.0.1:9/t/x TOKEN greedy": "table",
    "bot host http://127.0.0.1:9 greedy": "table",
    "simulate --deals 3 --bots random --out deals.parquet": "lab",
    "arena --bots greedy,random --pairs 2 --workers 1 --out deals.parquet": "lab",
    "ladder --executor dask://127.0.0.1:9 --out page.md": "dask",
}


NEEDS_DRIVER = [
    "serve --db postgresql://127.0.0.1:9/x",
    "backup data.tar --db postgresql://127.0.0.1:9/x",
    "db copy postgresql://127.0.0.1:9/x postgresql://127.0.0.1:9/y",
]


def packages(extra: str) -> set[str]:
    """The packages of an extra, by the names under which they are imported."""
    lines = [line for line in metadata.requires("rum500") or () if f'extra == "{extra}"' in line]
    return {re.split(r"[^\w-]", line)[0].lower().replace("-", "_") for line in lines}


def run(lines: list[str], absent: set[str], folder: Path) -> list[tuple[int, str, str]]:
    """Run command lines without some packages; the exit code, output and errors of each."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1", "XDG_STATE_HOME": str(folder), "RUM500_DATA": str(folder)},
        input=json.dumps([sorted(absent), lines]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(code, out, errors) for code, out, errors in json.loads(done.stdout)]


def test_extras_list_the_packages_left_out_here() -> None:
    assert packages("postgres") == {"psycopg"}
    assert {"starlette", "sqlalchemy", "websockets", "prometheus_client"} < packages("table")
    assert packages("lab") == {"numpy", "pyarrow"}


@pytest.mark.compiled
def test_commands_work_alone(tmp_path: Path) -> None:
    state = rum500.deal(rum500.ruleset("500-rum"), players=2, seed=1)
    (tmp_path / "state.rum500").write_text(state.to_text())
    done = run(ALONE, packages("table") | packages("lab") | packages("dask") | {"cython", "Cython"}, tmp_path)
    for line, (code, out, errors) in zip(ALONE, done, strict=True):
        assert code == 0 and out, f"{line}: {errors}"
        assert "not installed" not in out + errors, line


def test_commands_name_the_extra_that_they_need(tmp_path: Path) -> None:
    done = run(list(NEEDS), packages("table") | packages("lab") | packages("dask"), tmp_path)
    for (line, extra), (code, out, errors) in zip(NEEDS.items(), done, strict=True):
        matched = re.fullmatch(
            rf"rum500 {line.split()[0]}: this needs (\w+), which is not installed; it comes with: (.+)\n",
            errors,
        )
        assert matched and matched[1] in packages(extra), f"{line}: {errors}"
        assert matched[2] == install_command(extra)
        assert (code, out) == (2, ""), line
    assert not list(tmp_path.iterdir())


def test_postgresql_driver_has_its_own_extra(tmp_path: Path) -> None:
    for line, (code, out, errors) in zip(
        NEEDS_DRIVER, run(NEEDS_DRIVER, packages("postgres"), tmp_path), strict=True
    ):
        assert (code, out) == (2, ""), line
        assert errors == (
            f"rum500 {line.split()[0]}: this needs psycopg, which is not installed; "
            f"it comes with: {install_command('postgres')}\n"
        )


CHECKOUT: dict[str, object] = {"url": "file:///home/ann/card%20games", "dir_info": {"editable": True}}
FOLDER: dict[str, object] = {"url": "file:///src/rum500", "dir_info": {}}
FILE: dict[str, object] = {"url": "file:///tmp/rum500-1-py3-none-any.whl", "archive_info": {}}
ADDRESS: dict[str, object] = {"url": "https://example.org/rum500-1.tar.gz", "archive_info": {}}
REPOSITORY: dict[str, object] = {"url": "https://example.org/rum500", "vcs_info": {"vcs": "git"}}


@pytest.mark.parametrize(
    ("origin", "arguments"),
    [
        (CHECKOUT, "-e '/home/ann/card games[lab]'"),
        (FOLDER, "'/src/rum500[lab]'"),
        (FILE, "'/tmp/rum500-1-py3-none-any.whl[lab]'"),
        (ADDRESS, "'rum500[lab] @ https://example.org/rum500-1.tar.gz'"),
        (REPOSITORY, "'rum500[lab] @ git+https://example.org/rum500'"),
        (None, "'rum500[lab]'"),  # from an index
    ],
)
def test_an_extra_is_installed_from_where_rum500_came(
    origin: dict[str, object] | None, arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = tmp_path / "rum500-1.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: rum500\nVersion: 1\n")
    if origin is not None:
        (noted / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"))
    assert install_command("lab").partition(" install ")[2] == arguments


def test_the_pip_of_another_python_is_not_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "pip"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install_command("lab").startswith(f"{shlex.quote(sys.executable)} -m pip install ")


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'rum500.gone'", name="rum500.gone"),
        ModuleNotFoundError("No module named 'anyio'", name="anyio"),
        ImportError("cannot import name 'gone'", name="starlette"),
    ],
    ids=str,
)
def test_another_failed_import_is_no_missing_extra(error: ImportError) -> None:
    assert missing_extra(error) is None


def test_version_is_the_installed_one() -> None:
    assert rum500.__version__ == metadata.version("rum500")


def test_requirements_without_extras_are_few() -> None:
    """Of 33 MB; tests/test_installed_wheel.py measures all of them."""
    found: set[str] = set()
    left = ["rum500"]
    while left:
        for line in metadata.requires(left.pop()) or ():
            needed = Requirement(line)
            if needed.name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                found.add(needed.name)
                left.append(needed.name)
    assert {"cyclopts", "msgspec", "rich"} <= found
    files = (file.locate() for name in found for file in metadata.files(name) or ())
    assert sum(Path(file).stat().st_size for file in files if Path(file).exists()) < 19_000_000, sorted(found)
