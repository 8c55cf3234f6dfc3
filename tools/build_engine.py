"""Compile the engine if something has changed: in place, or under the sanitizers into build/asan.

In place, only those groups of modules are compiled that were not built from these sources with these flags
and tools. A machine without a C compiler gets one from PyPI. If that is impossible, or Python's headers are
missing, the engine remains interpreted, which is not an error. Errors of the compiler are.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rum500._compiled import Group

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "build" / "engine"  # how the extensions in place were built, a line for each group
TEMPORARY = ROOT / "build" / "temp"
SANITIZED = ROOT / "build" / "asan"
NEEDED = "install a C compiler and Python's headers (Debian: apt-get install gcc libc6-dev python3-dev)"
SHOWN = 5  # errors, as more mostly follow from the first; and modules for each line of progress
SANITIZERS = "-fsanitize=address,undefined"
PROGRESS = re.compile(r"Compiled (\d+) of (\d+) modules")  # setup.py prints this
# A failed assertion in compiled code cannot be raised as a Python exception: let the first one end the
# process.
STRICT_RUN = """
import os, runpy, sys
def stop(unraisable):
    sys.__unraisablehook__(unraisable)
    sys.stderr.flush()
    os._exit(1)
sys.unraisablehook = stop
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
compiled = runpy.run_path(str(ROOT / "src" / "rum500" / "_compiled.py"))
GROUPS: tuple[Group, ...] = compiled["GROUPS"]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--jobs", type=int, default=1, help="extensions compiled at once")
    options.add_argument(
        "--sanitize", nargs=argparse.REMAINDER, help="run a script under ASan and UBSan: SCRIPT [ARGS]"
    )
    options.add_argument(
        "--only", choices=[group.name for group in GROUPS], help="compile only this group of modules"
    )
    options.add_argument(
        "--hint", action="store_true", help="compile nothing; where the engine runs interpreted, say how to"
    )
    chosen = options.parse_args()
    if chosen.hint:
        return hint()
    if chosen.sanitize:
        return build_sanitized(chosen.jobs) or run_sanitized(chosen.sanitize)
    groups = [group for group in GROUPS if chosen.only in (None, group.name)]
    return build_in_place(groups, chosen.jobs)


def hint() -> int:
    """If the engine runs interpreted, print how to compile it, in one line."""
    if compiled["interpreted_wanted"]():
        print(f"The engine ran interpreted: {compiled['INTERPRETED_VARIABLE']} is set. Unset it.")
    elif not is_current(GROUPS[0]):
        print(
            f"The engine ran interpreted, a hundred times slower. To compile it, {NEEDED}, then make build."
        )
    return 0


def build_in_place(groups: list[Group], jobs: int) -> int:
    stale = [group for group in GROUPS if not is_current(group)]
    wanted = [group for group in groups if group in stale]
    if not wanted:
        return 0
    forget(stale)
    try:
        settings = toolchain()
    except LookupError as fault:
        print("The engine will run interpreted:", fault)
        return 0
    names = [group.name for group in wanted]
    command = ["build_ext", "--inplace", "--force", f"--build-temp={TEMPORARY}", f"--parallel={jobs}"]
    # The first group brings the code that all modules share, a module too.
    count = sum(len(group.modules) for group in wanted) + (GROUPS[0] in wanted)
    announcement = f"Compiling the {' and the '.join(names)}, {count} modules"
    status = run_setup(announcement, command, RUM500_GROUPS=",".join(names), **settings)
    if status == 0:
        RECORD.write_text("".join(sorted(f"{name} {build_key()}\n" for name in {*names, *recorded()})))
        shutil.rmtree(TEMPORARY)
    return status


def forget(groups: list[Group]) -> None:
    """Remove the extensions of these groups, and those that belong to no group any more."""
    known = {name.rpartition(".")[2] for group in GROUPS if group not in groups for name in group.modules}
    if GROUPS[0] not in groups:
        known.add(compiled["SHARED"].rpartition(".")[2])
    for extension in (ROOT / "src").rglob("*.so"):
        if extension.name.partition(".")[0] not in known:
            extension.unlink()
    kept = [
        f"{name} {key}\n" for name, key in recorded().items() if name not in {each.name for each in groups}
    ]
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text("".join(kept))


def recorded() -> dict[str, str]:
    """Return how each group in place was built."""
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    found = {name: key for name, _, key in (line.partition(" ") for line in lines)}
    return {group.name: found[group.name] for group in GROUPS if group.name in found}


def is_current(group: Group) -> bool:
    """Return whether the extensions of a group match the current sources, flags and tools."""
    try:
        built = compiled["check"](group=group) == "compiled"
    except ImportError:
        return False
    return built and recorded().get(group.name) == build_key()


def build_key() -> str:
    chosen = [os.environ.get(name, "") for name in ("CC", "CFLAGS", "LDFLAGS", "RUM500_CFLAGS")]
    text = "\n".join([sys.version, version("Cython"), *chosen, (ROOT / "setup.py").read_text()])
    return hashlib.sha256(text.encode()).hexdigest()


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def toolchain() -> dict[str, str]:
    """Return the environment variables for compiling. Raises `LookupError` if that is impossible."""
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        raise LookupError("Python's headers are missing (Debian: apt-get install python3-dev)")
    if compiles():
        return {}
    name = compiler()[0]
    if "CC" in os.environ:
        raise LookupError(f"{name} is no C compiler")
    print(f"There is no working C compiler ({name}): installing one into {sys.prefix}", flush=True)
    install = [sys.executable, str(ROOT / "tools" / "install.py"), "compiler"]
    if subprocess.run(install, check=False).returncode != 0:
        raise LookupError("no C compiler could be installed")
    zig = f"{shlex.quote(sys.executable)} -m ziglang cc"
    settings = {"CC": zig, "ZIG_GLOBAL_CACHE_DIR": str(ROOT / "build" / "zig")}
    if sys.platform == "linux":
        # Python's own command for linking has flags for the system's linker, which zig does not know.
        settings["LDSHARED"] = f"{zig} -shared"
    return settings


def compiles() -> bool:
    """Return whether the C compiler exists and finds its own headers and Python's."""
    probe = [*compiler(), "-E", "-I" + sysconfig.get_path("include"), "-x", "c", "-"]
    try:
        tried = subprocess.run(probe, input=b"#include <Python.h>", capture_output=True, check=False)
    except OSError:
        return False
    return tried.returncode == 0


def build_sanitized(jobs: int) -> int:
    flags = f"-O1 -g -fno-omit-frame-pointer {SANITIZERS} -fno-sanitize-recover=all"
    shutil.rmtree(SANITIZED, ignore_errors=True)
    target = f"--build-lib={SANITIZED}"
    command = [
        "build_py",
        target,
        "build_ext",
        target,
        f"--build-temp={SANITIZED}/temp",
        f"--parallel={jobs}",
    ]
    said = "Compiling the engine with AddressSanitizer and UBSan into build/asan"
    return run_setup(said, command, RUM500_CFLAGS=flags, LDFLAGS=SANITIZERS)


def run_sanitized(script: list[str]) -> int:
    print("Running", *script, flush=True)
    located = [*compiler(), "-print-file-name=libasan.so"]
    settings = {
        "LD_PRELOAD": subprocess.run(located, capture_output=True, text=True, check=True).stdout.strip(),
        "PYTHONPATH": str(SANITIZED),
        "PYTHONMALLOC": "malloc",  # so that each object is a separate block for ASan
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter still holds much memory at exit
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    command = [sys.executable, "-c", STRICT_RUN, *script]
    return subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=False).returncode


def run_setup(announcement: str, command: list[str], **settings: str) -> int:
    """Run setup.py and print its progress. If it fails, print its output, without Cython's traceback."""
    process = subprocess.Popen(
        [sys.executable, "setup.py", "--quiet", *command],
        cwd=ROOT,
        env=os.environ | {"RUM500_EXTENSIONS": "required"} | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    print(announcement, flush=True)
    lines = []
    for line in process.stdout:
        if found := PROGRESS.fullmatch(line.strip()):
            if int(found[1]) % SHOWN == 0 or found[1] == found[2]:
                print(line, end="", flush=True)
        else:
            lines.append(line)
    if process.wait() != 0:
        said = "".join(lines)
        head = "\nError compiling Cython file:"
        if head in said:
            faults = said.partition("\nTraceback (most recent call last)")[0].split(head)
            said = head.join(faults[: SHOWN + 1])
            said += (
                f"\n({len(faults) - 1} faults, the first {SHOWN} shown)" if len(faults) > SHOWN + 1 else ""
            )
        print(said, "The engine does not compile.", sep="\n", file=sys.stderr, flush=True)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
