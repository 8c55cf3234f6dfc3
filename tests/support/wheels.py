"""The sdist and the wheel, built as a release builds them, and the locked versions of what they need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = "rum500/server/page"
SOURCES = ["pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE"]


def run(
    *command: str | Path, expected: int = 0, place: Path | None = None, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with an environment of its own, and check its exit code."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RUM500_", "PYTHON"))}
    done = subprocess.run(
        list(map(str, command)),
        env=kept | settings,
        cwd=place,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == expected, done.stdout[-3000:] + done.stderr[-3000:]
    return done


def source(folder: Path) -> Path:
    """A copy of the package without a repository and without compiled modules, in a new folder."""
    for name in SOURCES:
        shutil.copy(ROOT / name, folder)
    ignore = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info", "page.old")
    shutil.copytree(ROOT / "src", folder / "src", ignore=ignore)
    return folder


def built(folder: Path, **settings: str) -> Path:
    """Build the sdist of a source where no git can be found, and the wheel from the sdist; their folder."""
    nothing = folder / "nothing"
    nothing.mkdir()
    build = ["-m", "build", "--no-isolation", "--sdist", "--outdir", folder / "dist", folder]
    run(sys.executable, *build, PATH=str(nothing))
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    run(sys.executable, *wheel, folder / "dist", sdist, **settings)
    return folder / "dist"


def locked_versions() -> str:
    """The versions of requirements/dev.txt, without hashes: pip would ask for the wheel's own too."""
    text = (ROOT / "requirements/dev.txt").read_text()
    # Constraints have no extras: `coverage[toml]==7` is one of `coverage`.
    found = re.findall(r"^([\w.-]+)(?:\[[^]]*\])?(==[^\\\n]+)", text, re.MULTILINE)
    assert len(found) > 50
    return "\n".join(name + rest for name, rest in found)


def wheel_with_needs(made: Path, wheels: Path, extras: str) -> Path:
    """Put the interpreted wheel of a copied source, with the wheels that it needs, into a folder.

    They stand for PyPI. `extras` are those of the wheel, separated by commas. Returns the wheel.
    """
    (wheel,) = built(made, RUM500_EXTENSIONS="none").glob("*.whl")
    constraints = made / "constraints.txt"
    constraints.write_text(locked_versions())
    fetch = ["download", "--quiet", "--constraint", constraints, "--dest", wheels, f"{wheel}[{extras}]"]
    run("python3", "-m", "pip", *fetch)
    return wheel
