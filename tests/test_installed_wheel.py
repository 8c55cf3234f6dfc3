"""The sdist, and the wheel made from it, in empty environments where no compiler and no Node can be found.

The source is a copy without a repository, and the sdist is built where no git can be found. The environments
get the locked versions of what the wheel asks for, by pip as it is configured here.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import sys
import tarfile
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.waiting import PATIENCE
from tests.support.wheels import PAGE, ROOT, built, locked_versions, run, source

pytestmark = pytest.mark.whole

MEGABYTE = 1_000_000
MOST = 33 * MEGABYTE
#: Of the pack for play without a network, only the smallest form of each large file is shipped.
PACK = f"{PAGE}/offline/"
MOST_OF_PACK = 6 * MEGABYTE
NOT_COUNTED = {"pip", "setuptools", "_distutils_hack", "pkg_resources"}
SIMULATE = ["-m", "rum500", "simulate", "--deals", "3", "--bots", "club", "--seed", "1", "--workers", "1"]


def bare(python: Path) -> dict[str, str]:
    """Settings under which neither a compiler nor Node nor git is found."""
    return {"PATH": str(python.parent), "CC": str(python.parent / "no-compiler")}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of a copy of the package, and the wheel made from the sdist."""
    folder = source(tmp_path_factory.mktemp("source"))
    # A part of an older page, as a second build in one checkout leaves it.
    stale = folder / "build" / "lib" / PAGE / "assets" / "index-OLD00000.js"
    stale.parent.mkdir(parents=True)
    stale.write_text("")
    return built(folder)


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of constraints with the locked versions."""
    path = tmp_path_factory.mktemp("locked") / "constraints.txt"
    path.write_text(locked_versions())
    return path


def install(what: str, home: Path, locked: Path) -> Path:
    """A new environment with rum500 in it; its Python."""
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    command = ["-m", "pip", "--python", python, "install", "--quiet", "--constraint", locked, what]
    run(sys.executable, *command, **bare(python))
    return python


@pytest.fixture(scope="module")
def alone(dist: Path, locked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with `rum500`."""
    (wheel,) = dist.glob("*.whl")
    return install(str(wheel), tmp_path_factory.mktemp("alone"), locked)


@pytest.fixture(scope="module")
def table(dist: Path, locked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with `rum500[table]`."""
    (wheel,) = dist.glob("*.whl")
    return install(f"{wheel}[table]", tmp_path_factory.mktemp("table"), locked)


@pytest.fixture(scope="module")
def lab(dist: Path, locked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with `rum500[lab,learn]`."""
    (wheel,) = dist.glob("*.whl")
    return install(f"{wheel}[lab,learn]", tmp_path_factory.mktemp("lab"), locked)


PAGE_OF_INSTALLING = (ROOT / "docs" / "install.md").read_text()
LINES = re.findall(r"`(pip install [^`]+)`", PAGE_OF_INSTALLING)


@pytest.mark.parametrize("line", LINES)
def test_each_line_of_the_installation_page_installs(
    line: str, dist: Path, locked: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "environment", symlinks=True, with_pip=True)
    programs = tmp_path / "environment" / "bin"
    settings = {"PATH": f"{programs}:/usr/bin:/bin", "PIP_CONSTRAINT": str(locked)}
    run("sh", "-c", line, place=dist.parent, **settings)
    assert checksum(programs / "python") == checksum(sys.executable)
    wanted = set(re.findall(r"[\w]+", line.partition("[")[2]))
    needs = {"table": ["doctor", "--help"], "lab": ["study", "--help"]}
    for extra in wanted & set(needs):
        run(programs / "rum500", *needs[extra])


def test_a_wheel_for_another_python_is_refused_as_the_page_says(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    other = shutil.copy(wheel, tmp_path / re.sub(r"-cp\d+-cp\d+-", "-cp39-cp39-", wheel.name))
    venv.create(tmp_path / "environment", symlinks=True, with_pip=True)
    pip = tmp_path / "environment" / "bin" / "pip"
    refused = run(pip, "install", "--quiet", "--disable-pip-version-check", other, expected=1)
    why = "is not a supported wheel on this platform"
    assert refused.stderr == f"ERROR: {Path(other).name} {why}.\n"
    assert f"`{why}`" in PAGE_OF_INSTALLING


def test_a_missing_extra_is_added_by_the_printed_line(dist: Path, locked: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    venv.create(tmp_path / "environment", symlinks=True, with_pip=True)
    programs = tmp_path / "environment" / "bin"
    settings = {"PATH": f"{programs}:/usr/bin:/bin", "PIP_CONSTRAINT": str(locked)}
    run(programs / "pip", "install", "--quiet", wheel, **settings)
    printed = run(programs / "rum500", "config", expected=2, **settings).stderr
    run("sh", "-c", printed.rpartition("it comes with: ")[2], **settings)
    run(programs / "rum500", "config", **settings)


def engine(python: Path) -> str:
    """The engine that runs in an environment."""
    code = "from rum500 import _compiled; print(_compiled.engine_kind())"
    return run(python, "-c", code, **bare(python)).stdout.strip()


def checksum(python: Path | str) -> str:
    """What three deals between `club` come to."""
    printed = run(python, *SIMULATE, NO_COLOR="1").stdout
    found = re.search(r"^Checksum (\w+)$", printed, re.MULTILINE)
    assert found, printed
    return found[1]


def test_sdist_and_wheel_hold_exactly_the_built_page(dist: Path) -> None:
    folder = ROOT / "src" / PAGE
    assert (folder / "index.html").exists(), "the page is not built: make page"
    built = {f"{PAGE}/{file.relative_to(folder).as_posix()}" for file in folder.rglob("*") if file.is_file()}
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in built if f"{name}.gz" in built and not name.endswith("index.html")}
    assert len(packed) > 50, "a wheel has these in their compressed forms alone"
    large = {name for name in packed if name.startswith(PACK) and not name.endswith("pack.json")}
    assert large, "the pack is not built: make offline"
    built -= {f"{name}.gz" for name in large}
    assert {name for name in names if name.startswith(PAGE)} == built - packed
    assert not [name for name in names if name.endswith(".c")]
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {re.sub(r"^[^/]+/src/", "", each.name) for each in archive.getmembers() if each.isfile()}
    assert {name for name in held if name.startswith(PAGE)} == built - large
    assert not [name for name in held if "node_modules" in name or name.endswith((".so", ".c"))]


@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc")), reason="there is no C compiler here")
def test_the_wheel_brings_the_compiled_engine(alone: Path, table: Path) -> None:
    assert engine(alone) == engine(table) == "compiled"


def test_rum500_alone_is_small(alone: Path) -> None:
    """With what it brings along, and with the compiled files that pip writes; without the pack."""
    (site,) = alone.parent.parent.glob("lib/python*/site-packages")
    sizes: dict[str, int] = {}
    pack = 0
    for path in site.rglob("*"):
        top = path.relative_to(site).parts[0]
        if path.is_file() and PACK in path.as_posix():
            pack += path.stat().st_size
        elif path.is_file() and top.split("-")[0] not in NOT_COUNTED:
            sizes[top] = sizes.get(top, 0) + path.stat().st_size
    assert "rum500" in sizes and "cyclopts" in sizes
    assert 0 < pack <= MOST_OF_PACK
    assert sum(sizes.values()) <= MOST, sorted(sizes.items(), key=lambda item: -item[1])[:8]


def test_rum500_alone_plays_and_names_what_it_lacks(alone: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.rum500"
    play = ["play", "--seed", "1", "--profile", "michigan-rum", "--record", record]
    rum500 = alone.parent / "rum500"
    done = run(rum500, *play, HOME=str(tmp_path), **bare(alone))
    assert "interpreted" not in done.stderr or engine(alone) == "interpreted"
    run(rum500, "replay", record, "--verify", **bare(alone))
    assert checksum(alone) == checksum(sys.executable)
    refused = run(rum500, "serve", expected=2, **bare(alone)).stderr
    assert refused.startswith("rum500 serve: this needs sqlalchemy, which is not installed; it comes with: ")
    assert refused.endswith(".whl[table]'\n") and refused.count("\n") == 1


def test_the_table_serves_its_page_and_a_deal_is_played(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bare(table).items():
        monkeypatch.setenv(name, value)
    with LiveServer(tmp_path / "data", python=table) as server:
        with urllib.request.urlopen(server.url + "/", timeout=PATIENCE) as answer:
            index = answer.read().decode()
        assert '<div id="app">' in index
        parts = re.findall(r'(?:src|href)="(/[^"]+)"', index)
        assert parts
        for part in parts:
            with urllib.request.urlopen(server.url + part, timeout=PATIENCE) as answer:
                assert answer.status == 200 and answer.read()
        guest = Guest(server, "Ada")
        with guest.at(guest.new_table(players=2, bots=[None, "greedy"], start=True)) as ada:
            play_on([ada], lambda facts: facts["deal"] > 1 or facts["waiting_for"] == "next")


#: Types a page of the documentation in: its doctests, its Python, its commands, each as the page has it.
TYPED = """
import doctest, re, subprocess, sys
text = open(sys.argv[1]).read()
flags, names, typed = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, {"__name__": "page"}, 0
for language, block in re.findall(r"^```(\\w*)\\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
    if block.startswith("# file: "):
        name, _, content = block.partition("\\n")
        open(name.removeprefix("# file: "), "w").write(content)
    elif language == "python" and ">>>" in block:
        test = doctest.DocTestParser().get_doctest(block, names, "page", sys.argv[1], 0)
        failed, tried = doctest.DocTestRunner(optionflags=flags).run(test, clear_globs=False)
        assert not failed
        names, typed = test.globs, typed + tried
    elif language == "python":
        exec(compile(block, "page", "exec"), names)
    elif language == "console":
        for line in re.findall(r"^\\$ (rum500 .*)$", block, re.MULTILINE):
            subprocess.run(line, shell=True, check=True)
            typed += 1
print("typed", typed)
"""


@pytest.mark.parametrize("page", ["lab.md", "first-evening.md"])
def test_the_first_pages_of_the_laboratory_are_typed_in(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    (tmp_path / "typed.py").write_text(TYPED)
    shutil.copy(ROOT / "docs" / page, tmp_path)
    monkeypatch.chdir(tmp_path)
    done = run(lab, "typed.py", page, HOME=str(tmp_path), PATH=f"{lab.parent}:/usr/bin:/bin")
    assert int(done.stdout.split()[-1]) > 15


def test_without_a_compiler_the_sdist_installs_the_interpreted_engine(
    dist: Path, locked: Path, tmp_path: Path
) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    python = install(str(sdist), tmp_path / "environment", locked)
    assert engine(python) == "interpreted"
    assert not list(tmp_path.glob("environment/lib/python*/site-packages/Cython"))
    done = run(python, *SIMULATE, NO_COLOR="1")
    assert done.stderr.count("runs interpreted") == 1
    assert checksum(python) == checksum(sys.executable)


def test_make_compiles_the_engine_without_a_compiler_of_the_system(tmp_path: Path) -> None:
    """In an environment of its own, into which the compiler comes from PyPI."""
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.so", "*.c", "page"))
    for name in ("tools", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name)
    venv.create(tmp_path / "environment", symlinks=True, with_pip=True)
    python = tmp_path / "environment" / "bin" / "python"
    settings = {"PATH": str(python.parent), "PYTHONPATH": os.pathsep.join(["src", *site.getsitepackages()])}
    build = [python, "tools/build_engine.py", "--only", "engine", "--jobs", "2"]
    done = run(*build, place=tmp_path, **settings).stdout
    assert "There is no working C compiler" in done
    done = run(python, *SIMULATE, place=tmp_path, NO_COLOR="1", **settings)
    assert "interpreted" not in done.stderr
    assert "Checksum " + checksum(sys.executable) in done.stdout
