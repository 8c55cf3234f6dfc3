"""Serves the files of the built page. They are compressed when the page is built.

A file is read when a browser first requests it. From then on it is in memory, in the requested form.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Awaitable, Callable, Container, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "index.html"
EARLY = "early.json"
PACK = "offline/"
"""The folder with what the page needs to play without a network."""
PACK_LIST = f"{PACK}pack.json"
_FOREVER = "public, max-age=31536000, immutable"
_ANEW = "no-cache"
_OWN = "private, no-cache"  # the response may set a guest's cookie, which no proxy may send to others
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}
_NOT_BUILT = """<!doctype html>
<html lang="en"><title>rum500</title>
<h1>The page has not been built</h1>
<p>The server runs, but the page that it serves is not there. In a clone of the source, run
<code>make page</code> and load this again.</p>
</html>
"""


class _File:
    """A file of the page, in one or more encodings."""

    def __init__(self, forms: Mapping[str, Path], media: str, cache: str, *, large: bool = False) -> None:
        """Set where each encoding's content is; `identity` is the uncompressed content.

        `cache` is the value of the Cache-Control header. A large file is sent in its compressed form only,
        and not kept in memory.
        """
        self.media, self.cache = media, cache
        self._forms = {"br": forms["br"]} if large else forms
        self._large = large
        self._kept: dict[str, bytes] = {}

    @classmethod
    def of(cls, content: bytes, file: _File) -> _File:
        """Return a file with this content instead of another file's."""
        changed = cls({}, file.media, file.cache)
        changed._kept["identity"] = content
        return changed

    @property
    def encodings(self) -> list[str]:
        """The encodings in which the file may be sent, the best first."""
        return [name for name, _ in _ENCODINGS if name in self._forms or name in self._kept]

    @property
    def is_plain(self) -> bool:
        """Whether the uncompressed content may be sent too."""
        return not self._large

    @cached_property
    def tag(self) -> str:
        """The ETag."""
        return _tag(self._read("br" if self._large else "identity"))

    def content(self, encoding: str = "identity") -> bytes:
        """Return the content in one of the encodings."""
        if self._large:
            return self._read(encoding)
        if encoding not in self._kept:
            self._kept[encoding] = self._read(encoding)
        return self._kept[encoding]

    def add(self, encoding: str, content: bytes) -> None:
        """Add an encoding."""
        self._kept[encoding] = content

    def _read(self, encoding: str) -> bytes:
        if encoding in self._kept:
            return self._kept[encoding]
        if encoding == "identity" and encoding not in self._forms:
            # An installed package has most files only in compressed form.
            return gzip.decompress(self._forms["gzip"].read_bytes())
        return self._forms[encoding].read_bytes()


class _Early(NamedTuple):
    """Files that the page needs soon although its index does not name them."""

    views: dict[str, list[str]]
    """By the first part of an address, the files of the view that the page shows there."""
    languages: dict[str, list[str]]
    """By language, the files with the page's texts in this language."""

    def headers(self, path: str, request: Request, prefix: str) -> dict[str, str]:
        """Return a `Link` header that makes the browser request these files at once."""
        language = _language(request.headers.get("accept-language", ""), self.languages)
        files = [*self.views.get(path.partition("/")[0], ()), *self.languages.get(language, ())]
        return {"link": ", ".join(_link(f"{prefix}/{file}") for file in files)} if files else {}


class StaticPage:
    """The files of the built page, read again whenever the page has been rebuilt."""

    def __init__(self, folder: Path = FOLDER, prefix: str = "") -> None:
        """Serve the files in this folder to browsers that see them below `prefix`."""
        self._folder = folder
        self._prefix = prefix
        self._built: list[int] = []
        self._files: dict[str, _File] = {}
        self._early = _Early({}, {})

    @property
    def there(self) -> bool:
        """Whether the page has been built."""
        return (self._folder / INDEX).is_file()

    async def answer(
        self,
        request: Request,
        greeting: Callable[[Request], dict[str, str]] = lambda _: {},
        head: Callable[[str, str, str], Awaitable[bytes]] | None = None,
    ) -> Response:
        """Return the response to a request for a file, or for one of the page's addresses.

        `greeting` returns additional headers for the page itself, and `head` additional tags for its head, by
        the page's path, the server's address and the language of the link. Raises `HTTPException` for other
        addresses.
        """
        self._refresh()
        path = request.path_params.get("path", "").strip("/")
        try:
            return await self._answer(path, request, greeting, head)
        except FileNotFoundError:  # the page is being replaced by another version
            self._built = []
            raise HTTPException(404, "there is no such address") from None

    async def _answer(
        self,
        path: str,
        request: Request,
        greeting: Callable[[Request], dict[str, str]],
        head: Callable[[str, str, str], Awaitable[bytes]] | None,
    ) -> Response:
        file = self._files.get(path)
        if file is not None and path != INDEX:
            return _sent(file, request)
        if path == PACK_LIST:
            return Response("null", headers={"cache-control": _ANEW}, media_type="application/json")
        if not _wants_page(request, path):
            raise HTTPException(404, "there is no such address")
        status = 200 if path.partition("/")[0] in self._early.views else 404
        index = self._files.get(INDEX)
        if index is None:
            return Response(_NOT_BUILT, 503, {"cache-control": "no-store"}, "text/html")
        if head is not None and status == 200:
            site, language = (
                f"{request.url.scheme}://{request.url.netloc}",
                request.query_params.get("lang", ""),
            )
            index = _with(index, await head(path, site, language))
        response = _sent(index, request, status)
        response.headers.update(self._early.headers(path, request, self._prefix) | greeting(request))
        return response

    def _refresh(self) -> None:
        marks = (self._folder / name for name in (INDEX, PACK_LIST))
        built = [mark.stat().st_mtime_ns if mark.is_file() else 0 for mark in marks]
        if built != self._built:
            self._files = dict(_read(self._folder)) if built[0] else {}
            if self._prefix and INDEX in self._files:
                self._files[INDEX] = _below(self._prefix, self._files[INDEX])
            early = self._files.pop(EARLY, None)
            self._early = _Early(**json.loads(early.content())) if early else _Early({}, {})
            self._built = built


def _read(folder: Path) -> list[tuple[str, _File]]:
    endings = {ending for _, ending in _ENCODINGS}
    files = (file for file in folder.rglob("*") if file.is_file())
    found = []
    for file in sorted({file.with_suffix("") if file.suffix in endings else file for file in files}):
        path = file.relative_to(folder).as_posix()
        forms = {name: Path(f"{file}{ending}") for name, ending in _ENCODINGS} | {"identity": file}
        forms = {name: form for name, form in forms.items() if form.is_file()}
        hashed = path.startswith(("assets/", PACK)) and path != PACK_LIST
        # Every browser that can use the pack accepts brotli, and the other forms are large.
        large = path.startswith(PACK) and hashed and "br" in forms
        media = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        cache = _FOREVER if hashed else _OWN if path == INDEX else _ANEW
        found.append((path, _File(forms, media, cache, large=large)))
    return found


def _below(prefix: str, index: _File) -> _File:
    """Return the page's index with its addresses changed for a site below this path.

    Addresses in other files are relative, so they need no change.
    """
    plain = re.sub(rb'\b(href|src)="/', rb'\1="' + prefix.encode() + b"/", index.content())
    changed = _File.of(plain, index)
    changed.add("gzip", gzip.compress(plain, mtime=0))
    return changed


def _with(index: _File, tags: bytes) -> _File:
    """Return the page's index with these tags in its head."""
    if not tags:
        return index
    return _File.of(index.content().replace(b"</title>", b"</title>" + tags, 1), index)


def _tag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:20]}"'


def _sent(file: _File, request: Request, status: int = 200) -> Response:
    headers = {"cache-control": file.cache, "etag": file.tag}
    if file.encodings:
        headers["vary"] = "accept-encoding"
    if status == 200 and file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    accepted = _accepted(request.headers.get("accept-encoding", ""))
    packed = next((name for name in file.encodings if name in accepted), None)
    if packed is not None:
        headers["content-encoding"] = packed
        return Response(file.content(packed), status, headers, file.media)
    if not file.is_plain:
        raise HTTPException(
            406, "this file is only there compressed with brotli, which this client does not accept"
        )
    return Response(file.content(), status, headers, file.media)


def _accepted(header: str) -> set[str]:
    """Return the encodings that a browser accepts: all in the header except those with weight 0."""
    found = set()
    for part in header.casefold().split(","):
        name, _, weight = part.partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            found.add(name.strip())
    return found


def _language(header: str, known: Container[str]) -> str:
    """Return the first language of an `Accept-Language` header that is in `known`; else English.

    The page chooses its language in the same way.
    """
    wanted = (part.partition(";")[0].strip().casefold().partition("-")[0] for part in header.split(","))
    return next((each for each in wanted if each in known), "en")


def _link(file: str) -> str:
    style = file.endswith(".css")
    return f"<{file}>; {'rel=preload; as=style' if style else 'rel=modulepreload'}; crossorigin"


def _wants_page(request: Request, path: str) -> bool:
    """Return whether an unknown address gets the page: a browser requests it, and its path names no file."""
    if path.partition("/")[0] in ("api", "assets", "ws") or "." in path.rpartition("/")[2]:
        return False
    accept = request.headers.get("accept", "*/*")
    return "text/html" in accept or "*/*" in accept
