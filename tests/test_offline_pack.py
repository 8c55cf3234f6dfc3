"""The pack with which the page plays without a network, run by Pyodide in Node; `make offline` builds it."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

import rum500
from rum500.local.executor import local_levels
from tests.support.decisions import decisions
from tests.support.play_locally import BLOCKED
from tools import offline_pack, page

pytestmark = pytest.mark.whole

RUNNER = Path(__file__).parent / "support" / "in_pyodide.mjs"
MOST_SENT = 6_000_000


@pytest.fixture(scope="module")
def pack() -> dict[str, Any]:
    """What `pack.json` says."""
    assert offline_pack.current(), "the pack is not of these sources: make offline"
    return dict(json.loads(offline_pack.LIST.read_text()))


def in_pyodide(code: str) -> str:
    """Return what this code prints in the pack's Python; it is in an async function."""
    command = [*page.node(), RUNNER, offline_pack.PACK, page.ROOT, code]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    return ran.stdout


def test_pack_is_within_its_budget_and_lists_its_files(pack: dict[str, Any]) -> None:
    files = {path for path in offline_pack.PACK.rglob("*") if path.is_file()}
    plain = {
        path.relative_to(offline_pack.PACK).as_posix() for path in files if path.suffix not in (".br", ".gz")
    }
    assert plain == {each["name"] for each in pack["files"]} | {"pack.json"}
    assert pack["python"] in plain
    for each in pack["files"]:
        path = offline_pack.PACK / each["name"]
        packed = Path(f"{path}.br")
        sizes = path.stat().st_size, (packed if packed.exists() else path).stat().st_size
        assert (each["bytes"], each["sent"]) == sizes
    assert pack["bytes"] == sum(each["bytes"] for each in pack["files"])
    print(f"{pack['sent']:,} bytes are sent")
    assert pack["sent"] == sum(each["sent"] for each in pack["files"]) <= MOST_SENT


def test_pack_has_what_play_needs_of_rum500_and_nothing_of_a_server(pack: dict[str, Any]) -> None:
    archives = {each["role"]: each["name"] for each in pack["files"]}
    names = zipfile.ZipFile(offline_pack.PACK / archives["rum500"]).namelist()
    modules = {offline_pack.source(name) for name in offline_pack.modules()}
    compiled = {offline_pack.SOURCES / name.removesuffix("c") for name in names if name.endswith(".pyc")}
    assert compiled == modules
    assert not [name for name in names if name.endswith(".py")]
    assert "rum500/puzzles/shipped.jsonl" in names and "rum500/puzzles/retired.jsonl" not in names
    assert "rum500/rules/profiles/500-rum.toml" in names
    wheels = {each["name"].partition("-")[0] for each in pack["files"] if each["role"] == "wheel"}
    assert wheels == {"msgspec", "structlog"}
    assert wheels.isdisjoint(BLOCKED)


def test_match_history_and_replay_work_in_the_pack(pack: dict[str, Any]) -> None:
    code = "from tests.support.play_locally import play\nawait play()"
    assert in_pyodide(code).endswith("played\n")


def test_all_profiles_and_levels_decide_in_the_pack_as_in_the_compiled_engine(pack: dict[str, Any]) -> None:
    code = "from tests.support.decisions import decisions\nprint(decisions(150))"
    assert in_pyodide(code) == f"{decisions(150)}\n"
    assert len(local_levels()) > 3


def test_version_of_the_pack_is_that_of_rum500(pack: dict[str, Any]) -> None:
    code = "from importlib.metadata import version\nprint(version('rum500'))"
    assert in_pyodide(code) == f"{rum500.__version__}\n"


def test_pack_built_twice_has_equal_files(
    pack: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    again = tmp_path / "offline"
    for name, path in {"PACK": again, "LIST": again / "pack.json", "STAMP": tmp_path / "stamp"}.items():
        monkeypatch.setattr(offline_pack, name, path)
    offline_pack.build()
    assert json.loads(offline_pack.LIST.read_text()) == pack
