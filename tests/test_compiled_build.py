"""The compiled engine is used only if it matches its sources; without it the sources run."""

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
from rum500.spaces import actions

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
        shutil.copytree(
            PACKAGE, tmp_path / "rum500", ignore=shutil.ignore_patterns("*.so", "*.c", "page", "__pycache__")
        )
    )


def binary(package: Path, name: str) -> Path:
    stem = package.joinpath(*name.split(".")[1:])
    return stem.with_name(stem.name + SUFFIX)


def pretend_build(package: Path) -> None:
    """Write files in place of the extensions; the last of each group contains its hash, like a real one."""
    for name in (_compiled.SHARED, *_compiled.MODULES):
        binary(package, name).write_bytes(b"...")
    for group in _compiled.GROUPS:
        digest = _compiled.source_hash(package, group).encode()
        binary(package, group.modules[-1]).write_bytes(b"\x7fELF..." + digest + b"\0...")


def run(package: Path, code: str, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own that imports this copy of the package."""
    kept = {name: value for name, value in os.environ.items() if name != _compiled.INTERPRETED_VARIABLE}
    environment = kept | {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"} | settings
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd=package.parent
    )


def test_this_process_runs_the_engine_it_reports() -> None:
    compiled = not Path(core.__file__).name.endswith(".py")
    assert _compiled.is_compiled() == compiled
    assert _compiled.engine_kind() == ("compiled" if compiled else "interpreted")
    for module, group in ((core, _compiled.ENGINE), (actions, _compiled.LABORATORY)):
        assert group.modules[-1] == module.__name__
        assert module.source_hash() == (_compiled.source_hash(group=group) if compiled else "")


def test_every_declaration_file_belongs_to_a_compiled_module() -> None:
    assert set(PACKAGE.rglob("*.pxd")) <= set(_compiled.sources())


@pytest.mark.parametrize("group", _compiled.GROUPS, ids=lambda group: group.name)
def test_a_group_is_checked_against_its_sources_and_modules(package: Path, group: _compiled.Group) -> None:
    pretend_build(package)
    assert _compiled.check(package, group) == "compiled"
    for source in _compiled.sources(package, group):
        content = source.read_bytes()
        source.write_bytes(content + b"\n")
        with pytest.raises(
            _compiled.StaleBuildError, match=r"was built from other sources than these.*`make build`"
        ):
            _compiled.check(package, group)
        source.write_bytes(content)
    for name in group.modules:
        extension = binary(package, name)
        content = extension.read_bytes()
        extension.unlink()
        with pytest.raises(
            _compiled.StaleBuildError, match=rf"is incomplete \({name} not built\).*`make build`"
        ):
            _compiled.check(package, group)
        extension.write_bytes(content)


def test_the_engine_needs_the_code_that_modules_share(package: Path) -> None:
    pretend_build(package)
    binary(package, _compiled.SHARED).unlink()
    with pytest.raises(_compiled.StaleBuildError, match=_compiled.SHARED):
        _compiled.check(package)


def test_a_change_of_the_laboratory_leaves_the_engine_current(package: Path) -> None:
    pretend_build(package)
    (package / "lab" / "deal_team.pxd").write_text("")
    assert _compiled.check(package) == "compiled"


def test_a_stale_build_stops_the_import(package: Path) -> None:
    pretend_build(package)
    _compiled.sources(package)[0].write_text("")
    refused = run(package, KIND)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith("rum500._compiled.StaleBuildError: ")


@pytest.mark.whole
@pytest.mark.skipif(not _compiled.is_compiled(), reason="the engine is not compiled here")
@pytest.mark.parametrize(
    ("stale", "message"),
    [(True, "laboratory was built from other sources"), (False, "laboratory is not compiled here")],
)
def test_without_the_laboratory_the_engine_runs(package: Path, stale: bool, message: str) -> None:
    for name in (
        _compiled.SHARED,
        *_compiled.ENGINE.modules,
        *(_compiled.LABORATORY.modules if stale else ()),
    ):
        shutil.copy(binary(PACKAGE, name), binary(package, name))
    with (package / "spaces" / "features.py").open("a") as source:
        source.write("\n")
    needs_no_laboratory = "import rum500, rum500.cli, rum500.sim, rum500.external_bots, rum500.server.app"
    assert run(package, f"{needs_no_laboratory}; {KIND}", "-W", "error").stdout == "compiled\n"
    refused = run(package, "import rum500.lab")
    assert refused.returncode == 1
    assert message in refused.stderr.splitlines()[-1]
    assert "`make build`" in refused.stderr.splitlines()[-1]
    study = run(
        package, "from rum500.cli import main; main(['simulate', '--deals', '2', '--moves', 'm.parquet'])"
    )
    assert message in study.stderr
    assert "Traceback" not in study.stderr


def test_without_a_build_one_warning_and_the_sources(package: Path) -> None:
    fallen_back = run(package, f"import rum500; {KIND}; import rum500.rng")
    assert fallen_back.stdout == "interpreted\n"
    assert fallen_back.stderr.count("InterpretedEngineWarning") == 1
    assert "<string>:1:" in fallen_back.stderr, "the warning points at the import, not into the package"


def test_interpreted_engine_runs_without_a_warning_when_requested(package: Path) -> None:
    pretend_build(package)
    asked = run(package, FILES, "-W", "error", RUM500_INTERPRETED="1")
    assert asked.stderr == ""
    assert asked.stdout.split() == [
        str(path) for path in _compiled.sources(package)[: len(_compiled.MODULES)]
    ]


@pytest.mark.parametrize(
    ("value", "wanted"), [("1", True), ("yes", True), ("0", False), ("", False), (None, False)]
)
def test_values_that_request_the_interpreted_engine(
    monkeypatch: pytest.MonkeyPatch, value: str | None, wanted: bool
) -> None:
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
    assert spec.origin == str(_compiled.sources(group=_compiled.ENGINE)[len(_compiled.ENGINE.modules) - 1])
    assert sys.meta_path[0].find_spec("rum500.cards", None) is None
