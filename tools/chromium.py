"""Find a Chromium for the browser tests, or install Debian's if allowed: python tools/chromium.py.

Prints its path; with --find nothing is installed. RUM500_CHROMIUM overrides the search path. If there is none
and it cannot be installed (by root with apt-get), prints an error and exits with 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: Names a Chromium goes by, in the order they are tried.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: A Chromium without windows: no notifications, no installed pages, and half the processor time.
HEADLESS_SHELL = "chromium-headless-shell"

#: Debian's, with letters for every language of the page.
PACKAGES = ("chromium", HEADLESS_SHELL, "fonts-liberation", "fonts-dejavu-core")

#: The flags of every start: no sandbox, which containers forbid, and no downloads in the background.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str | None:
    """Return the path of a Chromium; None if there is none."""
    chosen = os.environ.get("RUM500_CHROMIUM")
    if chosen:
        return shutil.which(chosen)
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def find_headless() -> str | None:
    """Return the path of a Chromium for pages alone: the headless shell, or what `find` finds."""
    if os.environ.get("RUM500_CHROMIUM"):
        return find()
    return shutil.which(HEADLESS_SHELL) or find()


def install() -> str | None:
    """Install Debian's Chromium as root with apt-get. Return its path; None on failure."""
    if os.environ.get("RUM500_CHROMIUM") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    if not shutil.which("apt-get"):
        return None
    print("Installing chromium", file=sys.stderr, flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES],
    ):
        done = subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            return None
    return find()


def missing() -> str:
    """Return the message for a missing Chromium."""
    chosen = os.environ.get("RUM500_CHROMIUM")
    why = f"RUM500_CHROMIUM={chosen} cannot be run" if chosen else "no Chromium is on the path"
    return f"{why}; install one (Debian: apt-get install chromium) or name one by RUM500_CHROMIUM"


def main() -> int:
    path = find() or (None if "--find" in sys.argv[1:] else install())
    if path:
        print(path)
        return 0
    rule = "!" * 100
    print(f"{rule}\nNO BROWSER: {missing()}.\nEverything in tests/web is left out.\n{rule}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
