"""The compiled engine belongs to its sources or says that it does not; without it the sources run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import rum500
from rum500 import _compiled
from rum500.rules.engine import core

PACKAGE = Path(rum500.__file__).parent
SUFFIX = EXTENSION_SUFFIXES[0]
KIND = "from rum500 import _compiled; print(_compiled.engine_kind())"
FILES = (
    "import importlib, rum500; "
    "print(*(importlib.import_module(name).__file__ for name in rum500._compiled.MODULES))"
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package's sources, without the extensions."""
    return Path(
        shutil.copytree(PACKAGE, tmp_path / "rum500", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    )


def binary(package: Path, name: str) -> Path:
    stem = package.joinpath(*name.split(".")[1:])
    return stem.with_name(stem.name + SUFFIX)


def pretend_build(package: Path) -> None:
    """Lay files where the extensions would lie; the core's holds the hash, as a real one does."""
    for name in _compiled.MODULES:
        binary(package, name).write_bytes(b"...")
    binary(package, _compiled.CORE).write_bytes(
        b"\x7fELF..." + _compiled.source_hash(package).encode() + b"\0..."
    )


def run(package: Path, code: str, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own that imports this copy of the package."""
    kept = {name: value for name, value in os.environ.items() if name != _compiled.INTERPRETED_VARIABLE}
    environment = kept | {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"} | settings
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd=package.parent
    )


def test_this_process_runs_what_it_says() -> None:
    compiled = not Path(core.__file__).name.endswith(".py")
    assert _compiled.is_compiled() == compiled
    assert _compiled.engine_kind() == ("compiled" if compiled else "interpreted")
    assert core.source_hash() == (_compiled.source_hash() if compiled else "")


def test_the_core_is_built_last() -> None:
    assert _compiled.MODULES[-1] == _compiled.CORE


def test_every_declaration_file_belongs_to_a_compiled_module() -> None:
    assert set(PACKAGE.rglob("*.pxd")) <= set(_compiled.sources())


def test_a_build_from_these_sources_is_trusted(package: Path) -> None:
    pretend_build(package)
    assert _compiled.check(package) == "compiled"


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(len(_compiled.sources())))
def test_one_changed_byte_makes_the_build_stale(package: Path, number: int) -> None:
    pretend_build(package)
    source = _compiled.sources(package)[number]
    source.write_bytes(source.read_bytes() + b"\n")
    with pytest.raises(
        _compiled.StaleBuildError, match=r"was built from other sources than these.*`make build`"
    ):
        _compiled.check(package)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", _compiled.MODULES)
def test_a_build_that_lacks_a_module_is_refused(package: Path, name: str) -> None:
    pretend_build(package)
    binary(package, name).unlink()
    with pytest.raises(_compiled.StaleBuildError, match=rf"is incomplete \({name} not built\).*`make build`"):
        _compiled.check(package)


def test_a_stale_build_stops_the_import(package: Path) -> None:
    pretend_build(package)
    _compiled.sources(package)[0].write_text("")
    refused = run(package, KIND)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith("rum500._compiled.StaleBuildError: ")


def test_without_a_build_one_warning_and_the_sources(package: Path) -> None:
    fallen_back = run(package, f"import rum500; {KIND}; import rum500.rng")
    assert fallen_back.stdout == "interpreted\n"
    assert fallen_back.stderr.count("InterpretedEngineWarning") == 1
    assert "<string>:1:" in fallen_back.stderr, "the warning points at the import, not into the package"


def test_asked_for_the_sources_run_in_silence_beside_a_build(package: Path) -> None:
    pretend_build(package)
    asked = run(package, FILES, "-W", "error", RUM500_INTERPRETED="1")
    assert asked.stderr == ""
    assert asked.stdout.split() == [
        str(path) for path in _compiled.sources(package)[: len(_compiled.MODULES)]
    ]


@pytest.mark.parametrize(
    ("value", "wanted"), [("1", True), ("yes", True), ("0", False), ("", False), (None, False)]
)
def test_what_asks_for_the_sources(monkeypatch: pytest.MonkeyPatch, value: str | None, wanted: bool) -> None:
    monkeypatch.delenv(_compiled.INTERPRETED_VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(_compiled.INTERPRETED_VARIABLE, value)
    assert _compiled.interpreted_wanted() is wanted


def test_install_warns_or_steps_in_front(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(_compiled, "_kind", _compiled.engine_kind())
    monkeypatch.setattr(_compiled, "check", lambda: "interpreted")
    monkeypatch.setenv(_compiled.INTERPRETED_VARIABLE, "0")
    with pytest.warns(_compiled.InterpretedEngineWarning, match="it was not compiled"):
        _compiled.install()
    monkeypatch.setenv(_compiled.INTERPRETED_VARIABLE, "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _compiled.install()
    spec = sys.meta_path[0].find_spec(_compiled.CORE, None)
    assert spec is not None
    assert spec.origin == str(_compiled.sources()[len(_compiled.MODULES) - 1])
    assert sys.meta_path[0].find_spec("rum500.cards", None) is None
