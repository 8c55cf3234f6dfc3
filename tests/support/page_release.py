"""Releases of the built page: copies whose files all have other names, as after changes of their sources."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import rum500
from rum500.server.http.offline import data_format
from tests.support.live_server import LiveServer

PAGE = Path(rum500.__file__).parent / "server" / "page"
_TEXTS = (".html", ".js", ".css", ".json")

_SERVE = """
import sys
from pathlib import Path
from rum500.cli import main
from rum500.server.app import Application
from rum500.server.http import offline
from rum500.server.work_scheduler import Busy

page, format_, busy = {page!r}, {format!r}, {busy!r}
Application.__init__.__kwdefaults__["page"] = Path(page)
if format_:
    offline.data_format = lambda: format_
if busy:
    def refused(*_):
        raise Busy(1.0)
    offline._packed = refused
sys.exit(main())
"""


class Releases(LiveServer):
    """A server whose page can be replaced by that of another release while it is stopped."""

    def __init__(self, data: Path, *flags: str, port: int = 0) -> None:
        super().__init__(data, *flags, port=port, python=sys.executable)
        self.page = data.with_name("page")
        self.release = 0
        self.format = self.version = ""
        self.busy = False
        self.next_release()

    @property
    def program(self) -> Sequence[str]:  # type: ignore[override]
        return ("-c", _SERVE.format(page=str(self.page), format=self.format, busy=self.busy))

    def next_release(self, *, format_: str = "", busy: bool = False) -> None:
        """Make the next release.

        `format_` is its own format of stored answers, by default the usual one. A `busy` server refuses
        requests for these answers.
        """
        self.release += 1
        self.format, self.busy = format_, busy
        shutil.rmtree(self.page, ignore_errors=True)
        shutil.copytree(PAGE, self.page, ignore=shutil.ignore_patterns("*.br", "*.gz"))
        names = {file.name: self._name(file.name) for file in (self.page / "assets").iterdir()}
        pattern = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
        for file in [each for each in self.page.rglob("*") if each.suffix in _TEXTS]:
            text = pattern.sub(lambda found: names[found[0]], file.read_text())
            if file.name == "sw.js":
                text = re.sub(r"[0-9a-f]{12}(?=[`'\"])", self._hexadecimal, text)
            file.write_text(text)
        for old, new in names.items():
            (self.page / "assets" / old).rename(self.page / "assets" / new)

    def _name(self, name: str) -> str:
        """Return the name of a file in this release: its hash, of eight characters, changes."""
        stem, end = name.rsplit(".", 1)
        own = blake2b(f"{self.release} {name}".encode(), digest_size=4).hexdigest()
        return f"{stem[:-8]}{own}.{end}"

    def _hexadecimal(self, found: re.Match[str]) -> str:
        """Return this release's version, or format of stored answers, for what the build wrote."""
        if found[0] == data_format():
            return self.format or found[0]
        self.version = blake2b(f"{self.release} {found[0]}".encode(), digest_size=6).hexdigest()
        return self.version
