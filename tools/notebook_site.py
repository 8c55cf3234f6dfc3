"""Build a site of notebooks in the browser in which `import rum500` works: JupyterLite and all that it needs.

The site is a folder of static files. Its kernel is the Pyodide of the pack for play without a network; the
list of packages beside it names the locked wheels of the kernel, and rum500 without compiled modules. So a
cell that imports rum500 loads it from the site, and nothing is fetched from another host.
"""

from __future__ import annotations

import argparse
import email
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from tools import offline_pack, page

OUT = page.ROOT / "build" / "notebooks"
WORK = page.ROOT / "build" / "notebooks.work"
JUPYTER = page.ROOT / "build" / "jupyterlite"
"""The environment of requirements/notebooks.txt."""
WHEELS = page.ROOT / "requirements" / "kernel.txt"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
OF_KERNEL = ("ipykernel", "piplite", "pyodide_kernel")
"""Wheels that the kernel's package contains; there are others, for widgets."""
LOADED_FIRST = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
"""What the kernel would otherwise search for at its start, also at other hosts."""
APPLICATIONS = ("lab", "repl")
IN_THE_BROWSER = {
    "extra": "",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_system": "Emscripten",
    "python_full_version": "3.14.2",
    "python_version": "3.14",
    "sys_platform": "emscripten",
}
"""The values of markers in requirements."""


def write(out: Path) -> None:
    """Write the site into a folder, which is replaced."""
    program = JUPYTER / "bin" / "jupyter-lite"
    if not program.exists():
        sys.exit("JupyterLite is not installed: make notebooks")
    shutil.rmtree(WORK, ignore_errors=True)
    pyodide = WORK / "site" / "static" / "pyodide"
    pyodide.mkdir(parents=True)
    runtime = offline_pack.installed_pyodide()
    for name in offline_pack.PYODIDE:
        shutil.copy(runtime / name, pyodide)
    for wheel in [*offline_pack.downloaded_wheels(WHEELS), *_wheels_of_kernel(), _wheel_of_rum500()]:
        shutil.copy(wheel, pyodide)
    packages = [package(wheel) for wheel in sorted(pyodide.glob("*.whl"))]
    lock = json.loads((runtime / offline_pack.LOCK).read_text())
    lock["packages"] = {each["name"]: each for each in packages}
    (pyodide / offline_pack.LOCK).write_text(json.dumps(lock))
    (WORK / "site" / "jupyter-lite.json").write_text(json.dumps(_settings()))
    built = WORK / "built"
    command: list[str | Path] = [program, "build", "--lite-dir", WORK / "site", "--output-dir", built]
    command += ["--no-sourcemaps", *(f"--apps={name}" for name in APPLICATIONS)]
    _run(command, place=WORK)
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(built, out)


def package(wheel: Path) -> dict[str, Any]:
    """Return the entry of a wheel in Pyodide's list of packages."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    with zipfile.ZipFile(wheel) as packed:
        files = packed.namelist()
        (metadata,) = (each for each in files if each.endswith(".dist-info/METADATA"))
        needed = email.message_from_bytes(packed.read(metadata)).get_all("Requires-Dist") or []
    needs = [
        each for each in map(Requirement, needed) if not each.marker or each.marker.evaluate(IN_THE_BROWSER)
    ]
    modules = {each.partition("/")[0] for each in files if each.endswith((".py", ".so"))}
    return {
        "name": name,
        "version": str(version),
        "file_name": wheel.name,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "imports": sorted(each.partition(".")[0] for each in modules),
        "depends": sorted({canonicalize_name(each.name) for each in needs}),
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
    }


def _settings() -> dict[str, Any]:
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": LOADED_FIRST}}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {"litePluginSettings": {f"{KERNEL}:kernel": kernel}},
    }


def _wheels_of_kernel() -> list[Path]:
    folder = JUPYTER / "share" / "jupyter" / "labextensions" / KERNEL / "static" / "pypi"
    return [next(folder.glob(f"{name}-*.whl")) for name in OF_KERNEL]


def _wheel_of_rum500() -> Path:
    """Build rum500 without compiled modules and without the page."""
    source = WORK / "source"
    ignore = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info", "page", "page.old")
    shutil.copytree(page.ROOT / "src", source / "src", ignore=ignore)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(page.ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", f"--wheel-dir={WORK / 'wheel'}", "."]
    _run(command, place=source, RUM500_EXTENSIONS="none")
    (wheel,) = (WORK / "wheel").glob("*.whl")
    return wheel


def _run(command: list[str] | list[str | Path], *, place: Path, **settings: str) -> None:
    """Run a command; exit with its output if it fails."""
    done = subprocess.run(
        command,
        cwd=place,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout[-3000:]}{' '.join(map(str, command[:3]))} failed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build a site of notebooks in the browser, with rum500.")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder, which is replaced (%(default)s)")
    folder = parser.parse_args().out.resolve()
    write(folder)
    print(f"The notebooks are in {folder}: python -m http.server --directory {folder}")
