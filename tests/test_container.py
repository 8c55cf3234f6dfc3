"""The image of the Containerfile: built on a new Debian, it serves the table, and writes only its data.

`buildah` runs its steps and the server in a changed root, which needs nothing of the kernel for containers.
`make dist`, which the image runs first, has tests of its own; here a wheel of this source takes its place.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.debian import new_debian
from tests.support.waiting import PATIENCE, until
from tests.support.wheels import ROOT, run, source, wheel_with_needs

pytestmark = pytest.mark.whole

ISOLATION = ("--isolation", "chroot")
#: The files of the server's user, but for what the kernel shows.
OWN_FILES = (
    "find / -path /proc -prune -o -path /sys -prune -o -user rum500 -type f -print 2> /dev/null || true"
)
MAKEFILE = "dist:\n\tcp -r built dist\n"


class Images:
    """Images and containers in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.words = ["buildah", "--root", f"{folder}/images", "--runroot", f"{folder}/running"]

    def __call__(self, *words: str | Path) -> str:
        return run(*self.words, *words).stdout.strip()

    def base(self, name: str, debian: Path, *settings: str) -> None:
        """Make an image of a folder with Debian."""
        container = self("from", "scratch")
        self("add", "--quiet", container, debian, "/")
        self("config", *(word for setting in settings for word in ("--env", setting)), container)
        self("commit", "--quiet", "--rm", container, name)


def fetched(address: str) -> bytes:
    """What the server returns, or nothing while it starts."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return bytes(answer.read())
    except OSError:
        return b""


@pytest.fixture
def images(tmp_path: Path) -> Iterator[Images]:
    if shutil.which("buildah") is None:
        pytest.skip("NO IMAGE: there is no buildah")
    made = Images(tmp_path)
    yield made
    made("rm", "--all")
    made("rmi", "--all", "--force")


def test_the_image_serves_the_table_and_writes_only_its_data(images: Images, tmp_path: Path) -> None:
    new_debian(tmp_path / "debian", "python3,python3-venv,make")
    images.base("builder", tmp_path / "debian", "PIP_NO_INDEX=1", "PIP_FIND_LINKS=/source/wheels")
    images.base("base", tmp_path / "debian")
    context = tmp_path / "context"
    (context / "built").mkdir(parents=True)
    (tmp_path / "source").mkdir()
    shutil.copy(
        wheel_with_needs(source(tmp_path / "source"), context / "wheels", "table,postgres"), context / "built"
    )
    shutil.copy(ROOT / "Containerfile", context)
    (context / "Makefile").write_text(MAKEFILE)
    arguments = ["--build-arg", "BUILDER=localhost/builder", "--build-arg", "BASE=localhost/base"]
    images("build", "--quiet", *ISOLATION, "--format", "docker", *arguments, "--tag", "rum500", context)

    config: dict[str, Any] = json.loads(images("inspect", "--type", "image", "rum500"))["Docker"]["config"]
    assert config["User"] == "rum500" and list(config["Volumes"]) == ["/data"]
    container = images("from", "localhost/rum500")
    server = subprocess.Popen([*images.words, "run", *ISOLATION, container, "--", *config["Cmd"]])
    try:
        until(lambda: fetched("http://127.0.0.1:8500/healthz"))
        kind, *health = config["Healthcheck"]["Test"]
        assert kind == "CMD"
        images("run", *ISOLATION, container, "--", *health)
        page = fetched("http://127.0.0.1:8500/")
        assert b"<title>" in page
        written = images("run", *ISOLATION, container, "--", "sh", "-c", OWN_FILES)
        assert written and {line.split("/")[1] for line in written.splitlines()} <= {"data", "tmp"}
    finally:
        server.terminate()
        server.wait(PATIENCE)
