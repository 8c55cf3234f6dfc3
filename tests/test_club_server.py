"""docs/club-server.md, line by line, in a new Debian: the installation, another release, and the way back.

Debian is a folder into which a process changes its root. systemd does not run in there, so its systemctl
only says that it would; what the units start, the test starts by their lines, as their user.
"""

from __future__ import annotations

import http.client
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.debian import ALONE, new_debian
from tests.support.waiting import PATIENCE, until
from tests.support.wheels import ROOT, run, source, wheel_with_needs

pytestmark = pytest.mark.whole

TEXT = (ROOT / "docs" / "club-server.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
UNITS = ROOT / "docs" / "deployment"
PACKAGES = "ca-certificates,python3,python3-venv,systemd"


class Debian:
    """A new Debian in a folder, and the services that would run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.services: dict[str, subprocess.Popen[bytes]] = {}

    def command(self, *words: str, user: str = "root") -> list[str]:
        change = ["chroot", f"--userspec={user}", str(self.folder), *words]
        return [*ALONE, f"mount -t proc proc {self.folder}/proc && exec {shlex.join(change)}"]

    def type(self, line: str, codes: tuple[int, ...] = (0,), **settings: str) -> str:
        """Type a line into root's shell, and let the services do what it asks systemd for."""
        shell = self.command("sh", "-c", f"cd /root && {line}")
        environment = self.settings(**settings)
        done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode in codes, f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        if found := re.match(r"systemctl (start|stop|restart) (.*)", line):
            for unit in found[2].split():
                self.stop(unit)
                if found[1] != "stop" and unit.startswith("rum500") and unit.endswith(".service"):
                    self.start(unit)
        return done.stdout

    def settings(self, **settings: str) -> dict[str, str]:
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        offline = {"DEBIAN_FRONTEND": "noninteractive", "SYSTEMD_OFFLINE": "1"}
        return {"PATH": path, "HOME": "/root", **offline, **settings}

    def start(self, unit: str) -> None:
        text = (self.folder / "etc/systemd/system" / unit).read_text()
        lines = dict(re.findall(r"^(ExecStart|User|Type)=(.*)$", text, re.MULTILINE))
        words = [word.replace("$$", "$").replace("%%", "%") for word in shlex.split(lines["ExecStart"])]
        command = self.command(*words, user=lines["User"])
        if lines.get("Type") == "oneshot":
            run(*command, **self.settings())
            return
        self.services[unit] = subprocess.Popen(command, env=self.settings(), stdout=subprocess.DEVNULL)
        until(self.answers)

    def stop(self, unit: str) -> None:
        if service := self.services.pop(unit, None):
            service.terminate()
            assert service.wait(PATIENCE) == 0

    @staticmethod
    def answers() -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", 8500, timeout=PATIENCE)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except ConnectionError:
            return False
        finally:
            connection.close()


@pytest.fixture
def debian(tmp_path: Path) -> Iterator[Debian]:
    made = Debian(tmp_path / "debian")
    new_debian(made.folder, PACKAGES)
    shutil.copy("/etc/resolv.conf", made.folder / "etc/resolv.conf")
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", made.folder / "etc/ssl/certs")
    try:
        yield made
    finally:
        for service in made.services.values():
            service.kill()
            service.wait()


def wheels(folder: Path, version: str, python: Path) -> None:
    """Put our wheel of a version into a folder, with the wheels that it needs: they stand for PyPI."""
    made = source(folder / version)
    face = made / "src/rum500/__init__.py"
    line = re.compile(r'^__version__ = ".*"$', re.MULTILINE)
    face.write_text(line.sub(f'__version__ = "{version}"', face.read_text()))
    wheel_with_needs(made, python, "table")


def test_every_line_of_the_page_works_in_a_new_debian(debian: Debian, tmp_path: Path) -> None:
    home = debian.folder / "root"
    for version in ("0.1.0", "0.2.0"):
        (tmp_path / version).mkdir()
        wheels(tmp_path, version, home / "wheels")
        shutil.move(next((home / "wheels").glob(f"rum500-{version}-*.whl")), home)
    for unit in UNITS.glob("rum500*"):
        shutil.copy(unit, home)
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "wheels"}
    install, name, doctor, upgrade, back = BLOCKS
    for line in (install + name).splitlines():
        debian.type(line, **pip)
    data = debian.folder / "var/lib/rum500"
    assert data.stat().st_mode & 0o777 == 0o700 and (data / "secret.key").exists()
    assert "database" in debian.type(doctor, codes=(0, 1))  # it also looks at what only a real machine has
    key = (data / "secret.key").read_bytes()
    for line in upgrade.splitlines():
        debian.type(line, **pip)
    current = debian.folder / "opt/rum500/current"
    assert str(current.readlink()) == "0.2.0"
    assert len(list((debian.folder / "var/backups/rum500").iterdir())) == 1
    for line in back.splitlines():
        debian.type(line, **pip)
    assert (str(current.readlink()), (data / "secret.key").read_bytes()) == ("0.1.0", key)
    debian.stop("rum500.service")
