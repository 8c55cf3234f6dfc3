"""Build the pack with which the page plays without a network: Python for the browser, and rum500.

The pack is the folder `offline/` of the built page. `pack.json` there lists its files; all others have a
hash of their content in their path. The pack contains Pyodide from npm, wheels from PyPI, and the modules
that `rum500.local` imports, compiled by Pyodide's own Python. It is rebuilt when one of these has changed;
until then `--withdraw`, which `tools/page.py` runs, makes the page not offer it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import rum500
from rum500.puzzles.collection import RETIRED
from tools import page

ROOT = page.ROOT
PACK = page.PACK
LIST = PACK / "pack.json"
WORK = ROOT / "build" / "offline"
STAMP = ROOT / "build" / "offline.json"
SOURCES = ROOT / "src"
TOOLS = ROOT / "tools" / "pyodide"
WHEELS = ROOT / "requirements" / "offline.txt"
WHEEL_TAGS = (
    "--platform=pyemscripten_2026_0_wasm32",
    "--python-version=3.14",
    "--implementation=cp",
    "--abi=cp314",
)
STDLIB = "python_stdlib.zip"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", STDLIB)
LOCK = "pyodide-lock.json"
BUILDERS = [
    *(TOOLS / name for name in ("package.json", "package-lock.json", "compile.mjs", "compress.mjs")),
    page.WEB / "plugins" / "compress.ts",
    WHEELS,
    Path(__file__),
]
DATA = (".toml", ".jsonl")
NOT_PACKED = re.compile(
    r"(_pyrepl|ctypes|multiprocessing|unittest|wsgiref|xml|xmlrpc)/|http/(cookiejar|cookies|server)\.py"
    r"|asyncio/(__main__|proactor_events|tools|windows_\w+)\.py|concurrent/futures/(interpreter|process)\.py"
    r"|logging/(config|handlers)\.py"
    r"|(_pydatetime|_pyio|antigravity|bdb|cProfile|cmd|compileall|doctest|filecmp|fileinput|ftplib|imaplib)\.py"
    r"|(mailbox|modulefinder|netrc|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|pty|pyclbr)\.py"
    r"|(pydoc|sched|shelve|smtplib|socketserver|symtable|tabnanny|tarfile|this|timeit|trace|tty|turtle)\.py"
    r"|(wave|webbrowser|zipapp)\.py"
    r"|encodings/(big5|cp(?!437|1252)|euc|gb|hp|hz|iso|johab|koi8|kz|mac|palm|ptcp|shift|tis)"
)
"""Parts of Python's library that no game needs: a third of it."""
LEFT_OUT = (SOURCES / "rum500" / "puzzles" / RETIRED,)
"""Data that only a server uses."""


def modules() -> list[str]:
    """Return the modules that `rum500.local` imports, at once or later, but not what its contract excepts."""
    import grimp  # noqa: PLC0415 - only a rebuild needs it

    graph = grimp.build_graph("rum500")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (contract,) = (each for each in settings["contracts"] if each["id"] == "local")
    for line in contract["ignore_imports"]:
        importer, _, imported = line.partition(" -> ")
        if imported in graph.modules:
            graph.remove_import(importer=importer, imported=imported)
    found = {"rum500", "rum500._compiled"}  # the root names all packages, and loads those that are used
    waiting = [name for name in graph.modules if name.startswith("rum500.local")]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [name.rpartition(".")[0], *graph.find_modules_directly_imported_by(name)]
    return sorted(name for name in found if source(name) is not None)


def source(module: str) -> Path | None:
    """Return the file of a module; None for a folder without one."""
    stem = SOURCES.joinpath(*module.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.exists()), None)


def contents(names: list[str]) -> list[Path]:
    """Return the sources of modules, and the data files of their folders."""
    code = [path for path in map(source, names) if path is not None]
    folders = {path.parent for path in code}
    data = (path for path in SOURCES.rglob("*") if path.suffix in DATA and page.PAGE not in path.parents)
    return sorted(
        [*code, *(path for path in data if _folder_with_code(path) in folders and path not in LEFT_OUT)]
    )


def _folder_with_code(path: Path) -> Path:
    return next(folder for folder in path.parents if any(folder.glob("*.py")))


def digest(names: list[str]) -> str:
    """Return a hash of everything from which the pack is built."""
    found = hashlib.sha256()
    for path in [*contents(names), *BUILDERS]:
        found.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def current() -> bool:
    """Return whether the page has a pack that was built from these sources."""
    if not (LIST.exists() and STAMP.exists()):
        return False
    built = json.loads(STAMP.read_text())
    return bool(digest(built["modules"]) == built["digest"])


def withdraw() -> None:
    """Remove the list of a pack that was built from other sources, so that no page offers it."""
    if LIST.exists() and not current():
        print("The sources have changed, so the page does not offer play without a network: make offline")
        for ending in ("", ".br", ".gz"):
            Path(f"{LIST}{ending}").unlink(missing_ok=True)


def build() -> None:
    """Build the pack if its sources have changed."""
    if current():
        return
    print("Building the pack for play without a network", flush=True)
    names = modules()
    wanted = digest(names)
    pyodide = installed_pyodide()
    staged, compiled, pack = WORK / "sources", WORK / "compiled", WORK / "pack"
    for folder in (staged, compiled, pack):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for wheel in downloaded_wheels(WHEELS):
        zipfile.ZipFile(wheel).extractall(staged / wheel.name.partition("-")[0])
    _stage_rum500(names, staged / "rum500")
    _stage_stdlib(pyodide / STDLIB, staged / "stdlib")
    _run_node("compile.mjs", pyodide, staged, compiled)
    _fill(pack, pyodide, staged, compiled)
    old = WORK / "old"
    shutil.rmtree(old, ignore_errors=True)
    if PACK.exists():
        PACK.rename(old)
    shutil.move(pack, PACK)
    shutil.rmtree(old, ignore_errors=True)
    STAMP.write_text(json.dumps({"digest": wanted, "modules": names}))
    listed = json.loads(LIST.read_text())
    sent, stored = (f"{listed[key] / 1e6:.1f} MB" for key in ("sent", "bytes"))
    print(f"The pack is in {PACK}: {sent} to download, {stored} stored")


def installed_pyodide() -> Path:
    """Return the folder of the locked Pyodide; install it if need be."""
    lock = (TOOLS / "package-lock.json").read_text()
    folder, done = WORK / "npm", WORK / "npm" / ".installed"
    if not done.exists() or done.read_text() != lock:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(TOOLS / name, folder)
        page.run(
            [
                *page.npm(),
                "ci",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--loglevel=error",
                f"--prefix={folder}",
            ]
        )
        done.write_text(lock)
    return folder / "node_modules" / "pyodide"


def downloaded_wheels(lock: Path) -> list[Path]:
    """Return the wheels for Pyodide that a lock names; download them if need be."""
    folder = WORK / "wheels" / hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        command += [
            "--only-binary=:all:",
            "--require-hashes",
            *WHEEL_TAGS,
            f"--dest={partial}",
            f"--requirement={lock}",
        ]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"pip cannot download the wheels of {lock.relative_to(ROOT)}")
        partial.rename(folder)
    return sorted(folder.glob("*.whl"))


def _stage_rum500(names: list[str], folder: Path) -> None:
    """Copy the modules and their data into a folder, with the metadata that names the version."""
    for path in contents(names):
        copy = folder / path.relative_to(SOURCES)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    info = folder / f"rum500-{rum500.__version__}.dist-info" / "METADATA"
    info.parent.mkdir()
    info.write_text(f"Metadata-Version: 2.4\nName: rum500\nVersion: {rum500.__version__}\n")


def _stage_stdlib(archive: Path, folder: Path) -> None:
    """Unpack Python's library, without what no game needs."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder, [name for name in packed.namelist() if not NOT_PACKED.match(name)])


def _run_node(script: str, *arguments: Path) -> None:
    page.run([*page.node(), str(TOOLS / script), *map(str, arguments)])


def _fill(pack: Path, pyodide: Path, staged: Path, compiled: Path) -> None:
    """Write the files of the pack, their compressed forms, and the list of them."""
    runtime = pack / "pyodide"
    runtime.mkdir()
    for name in PYODIDE:
        shutil.copyfile(pyodide / name, runtime / name)
    # Of the packages that Pyodide knows, none is there to be loaded.
    lock = json.loads((pyodide / LOCK).read_text()) | {"packages": {}}
    (runtime / LOCK).write_text(json.dumps(lock))
    _write_zip(runtime / STDLIB, staged / "stdlib", compiled / "stdlib")
    found = hashlib.sha256()
    for path in sorted(runtime.iterdir()):
        found.update(path.read_bytes())
    runtime = runtime.rename(pack / f"pyodide-{found.hexdigest()[:12]}")
    roles = {path: "stdlib" if path.name == STDLIB else "runtime" for path in sorted(runtime.iterdir())}
    for folder in sorted(staged.iterdir()):
        if folder.name != "stdlib":
            archive = pack / f"{folder.name}.zip"
            _write_zip(archive, folder, compiled / folder.name)
            named = hashlib.sha256(archive.read_bytes()).hexdigest()[:12]
            archive = archive.rename(pack / f"{folder.name}-{named}.zip")
            roles[archive] = "rum500" if folder.name == "rum500" else "wheel"
    _compress(list(roles))
    listed = [_entry(pack, path, role) for path, role in roles.items()]
    version = hashlib.sha256("\n".join(str(each["name"]) for each in listed).encode()).hexdigest()[:12]
    content = {
        "version": version,
        "release": rum500.__version__,
        "python": f"{runtime.name}/{PYODIDE[0]}",
        "files": listed,
        "bytes": sum(path.stat().st_size for path in roles),
        "sent": sum(_sent(path) for path in roles),
    }
    (pack / LIST.name).write_text(json.dumps(content, indent=1) + "\n")
    _run_node("compress.mjs", pack / LIST.name)


def _write_zip(archive: Path, sources: Path, compiled: Path) -> None:
    """Write a folder's files, with compiled modules in place of sources, equal bytes for equal files.

    They are not compressed in the archive, because the whole archive compresses better.
    """
    files = {
        path.relative_to(folder).as_posix(): path
        for folder in (sources, compiled)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".pyi", ".typed") and path.name != "RECORD"
    }
    for name in [name for name in files if name.endswith(".pyc")]:
        files.pop(name[:-1], None)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
        for name, path in sorted(files.items()):
            packed.writestr(zipfile.ZipInfo(name), path.read_bytes())


def _compress(files: list[Path]) -> None:
    """Write the compressed forms of files; those that were compressed before are copied."""
    kept = WORK / "compressed"
    kept.mkdir(exist_ok=True)
    names = {path: hashlib.sha256(path.read_bytes()).hexdigest()[:20] for path in files}
    missing = [path for path, name in names.items() if not (kept / f"{name}.gz").exists()]
    for path in missing:
        shutil.copyfile(path, kept / names[path])
    if missing:
        print(f"Compressing {len(missing)} files, at first some minutes", flush=True)
        _run_node("compress.mjs", *(kept / names[path] for path in missing))
    for path, name in names.items():
        (kept / name).unlink(missing_ok=True)
        for ending in (".br", ".gz"):
            if (packed := kept / f"{name}{ending}").exists():
                shutil.copyfile(packed, f"{path}{ending}")


def _entry(pack: Path, path: Path, role: str) -> dict[str, str | int]:
    name = path.relative_to(pack).as_posix()
    return {"name": name, "role": role, "bytes": path.stat().st_size, "sent": _sent(path)}


def _sent(path: Path) -> int:
    packed = Path(f"{path}.br")
    return (packed if packed.exists() else path).stat().st_size


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            build()
        case ["--withdraw"]:
            withdraw()
        case _:
            sys.exit(__doc__)
