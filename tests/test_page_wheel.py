"""The built wheel in an empty environment, without Node, compiler or network: it serves the page.

The environment gets the wheel by pip, and of the other packages exactly those that the wheel says it needs,
linked from where the tests run: the same files that pip would fetch.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PAGE = "rum500/server/page"
SOURCES = ["pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE"]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel made from it, of a copy of the package."""
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        shutil.copy(ROOT / name, source)
    ignore = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info", "page.old")
    shutil.copytree(ROOT / "src", source / "src", ignore=ignore)
    # A part of an older page, as a second build in one checkout leaves it.
    stale = source / "build" / "lib" / PAGE / "assets" / "index-OLD00000.js"
    stale.parent.mkdir(parents=True)
    stale.write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", "dist"],
        cwd=source,
        env=os.environ | {"RUM500_EXTENSIONS": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return source / "dist"


def built_page() -> set[str]:
    folder = ROOT / "src" / PAGE
    assert (folder / "index.html").exists(), "the page is not built: make page"
    return {f"{PAGE}/{file.relative_to(folder).as_posix()}" for file in folder.rglob("*") if file.is_file()}


def test_sdist_and_wheel_hold_exactly_the_built_page(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name for name in names if name.startswith(PAGE)} == built_page()
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {re.sub(r"^[^/]+/src/", "", each.name) for each in archive.getmembers() if each.isfile()}
    assert {name for name in held if name.startswith(PAGE)} == built_page()
    assert not [name for name in held if "node_modules" in name]


def needed(name: str, found: dict[str, metadata.Distribution]) -> dict[str, metadata.Distribution]:
    """The installed distributions that one needs, and those that these need."""
    for line in metadata.distribution(name).requires or ():
        requirement = Requirement(line)
        marker = requirement.marker
        extras = requirement.extras or {""}
        key = requirement.name.lower().replace("_", "-")
        if key not in found and (marker is None or marker.evaluate({"extra": ""})):
            found[key] = metadata.distribution(requirement.name)
            assert requirement.specifier.contains(found[key].version, prereleases=True)
            assert extras == {""}, f"{line}: this test follows no extras"
            needed(requirement.name, found)
    return found


def link(packages: dict[str, metadata.Distribution], site: Path) -> None:
    for package in packages.values():
        tops = {
            file.parts[0]
            for file in package.files or ()
            if file.parts[0] != ".." and "__pycache__" not in file.parts[0]
        }
        for top in tops:
            target = Path(str(package.locate_file(top)))
            if not (site / top).exists():
                (site / top).symlink_to(target)


@pytest.fixture(scope="module")
def environment(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment's folder."""
    home = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(home, symlinks=True)
    (wheel,) = dist.glob("*.whl")
    install = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", str(wheel)]
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python")]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    (site,) = home.glob("lib/python*/site-packages")
    link(needed("rum500", {}), site)
    return home


def test_wheel_serves_the_page_without_node_or_compiler(environment: Path, tmp_path: Path) -> None:
    alone = {"PATH": str(environment / "bin"), "HOME": str(tmp_path), "PYTHONNOUSERSITE": "1"}
    told = subprocess.run(
        [
            "python",
            "-c",
            "import rum500, shutil, sys; print(rum500.__file__, *map(shutil.which, ['node', 'cc']))",
        ],
        env=alone,
        executable=environment / "bin" / "python",
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == [
        str(next(environment.glob("lib/python*/site-packages/rum500/__init__.py"))),
        "None",
        "None",
    ]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [environment / "bin" / "rum500", "serve", "--port", "0", "--no-open", "--data", "data"],
            env=alone,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        address = address_of(server, tmp_path / "log")
        index = fetch(address)
        assert '<div id="app">' in index
        for name in re.findall(r'(?:src|href)="(/[^"]+)"', index):
            assert fetch(address.rstrip("/") + name), name
        profiles = json.loads(fetch(address + "api/profiles"))
        assert "persian-rummy" in [each["name"] for each in profiles]
    finally:
        server.terminate()
        server.wait(20)
        if server.stdout:
            server.stdout.close()


def address_of(server: subprocess.Popen[str], log: Path) -> str:
    assert server.stdout
    for line in server.stdout:
        if found := re.search(r"http://[\w.:]+/", line):
            return found[0]
    pytest.fail(log.read_text()[-3000:])


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=10) as answer:
        assert answer.status == 200
        return str(answer.read().decode("utf-8", "replace"))
