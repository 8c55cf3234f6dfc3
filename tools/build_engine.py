"""Compile the engine where something has changed: in place, or under the sanitizers into build/asan.

In place, nothing happens while the extensions belong to these sources, flags and tools. Without a C compiler
(or without Python's headers) the engine stays interpreted, which is no failure; a compiler that fails is one.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import Cython

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "build" / "engine"  # what the extensions in place were built with
SANITIZED = ROOT / "build" / "asan"
SANITIZERS = "-fsanitize=address,undefined"
# An assertion that fails in the engine cannot be raised out of it: let the first one end the run.
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


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--jobs", type=int, default=1, help="extensions compiled at once")
    options.add_argument(
        "--sanitize", nargs=argparse.REMAINDER, help="run a script under ASan and UBSan: SCRIPT [ARGS]"
    )
    chosen = options.parse_args()
    if chosen.sanitize:
        return build_sanitized(chosen.jobs) or run_sanitized(chosen.sanitize)
    return build_in_place(chosen.jobs)


def build_in_place(jobs: int) -> int:
    if is_current():
        return 0
    RECORD.unlink(missing_ok=True)
    for extension in (ROOT / "src").rglob("*.so"):
        extension.unlink()
    if fault := compiler_fault():
        print(f"The engine will run interpreted: {fault}")
        return 0
    status = run_setup("Compiling the engine", ["build_ext", "--inplace", "--force", f"--parallel={jobs}"])
    if status == 0:
        RECORD.write_text(build_key())
    return status


def is_current() -> bool:
    """Whether the extensions in place belong to the sources, the flags and the tools of now."""
    try:
        built = compiled["check"]() == "compiled"
    except ImportError:
        return False
    return built and RECORD.exists() and RECORD.read_text() == build_key()


def build_key() -> str:
    chosen = [os.environ.get(name, "") for name in ("CC", "CFLAGS", "LDFLAGS", "RUM500_CFLAGS")]
    return "\n".join([sys.version, Cython.__version__, *chosen, (ROOT / "setup.py").read_text()])


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def compiler_fault() -> str | None:
    """Why nothing can be compiled here, or None."""
    name = compiler()[0]
    if shutil.which(name) is None:
        return f"there is no C compiler ({name})"
    probe = [*compiler(), "-E", "-I" + sysconfig.get_path("include"), "-x", "c", "-"]
    tried = subprocess.run(probe, input="#include <Python.h>\n", capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        return f"{name} does not find Python's headers (Debian: apt-get install python3-dev)"
    return None


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
        "PYTHONMALLOC": "malloc",  # so that each object is a block that ASan knows
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter keeps much at exit
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    command = [sys.executable, "-c", STRICT_RUN, *script]
    return subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=False).returncode


def run_setup(announcement: str, command: list[str], **settings: str) -> int:
    """Run setup.py; what it says is shown when it fails, Cython's errors without the traceback."""
    print(announcement, flush=True)
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", *command],
        cwd=ROOT,
        env=os.environ | {"RUM500_EXTENSIONS": "required"} | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stdout
        if "Error compiling Cython file" in said:
            said = said.partition("\nTraceback (most recent call last)")[0]
        print(said, "The engine does not compile.", sep="\n", file=sys.stderr, flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
