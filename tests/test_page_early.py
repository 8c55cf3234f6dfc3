"""The files that the server has a browser ask for at once, named in the header of the built page."""

from __future__ import annotations

import asyncio
import re

import pytest
from starlette.requests import Request
from starlette.responses import Response

from rum500.server.http.static_page import FOLDER, StaticPage

ASSETS = FOLDER / "assets"


def answered(page: StaticPage, path: str, languages: str = "en") -> Response:
    """How the page at this address is answered."""
    headers = [(b"accept", b"text/html"), (b"accept-language", languages.encode())]
    scope = {"type": "http", "method": "GET", "headers": headers, "path_params": {"path": path.lstrip("/")}}
    return asyncio.run(page.answer(Request(scope)))


def early(path: str, languages: str = "en") -> dict[str, str]:
    """What the page at this address says is needed: files without their hash, and how each is asked for."""
    answer = answered(StaticPage(), path, languages)
    links = re.findall(r"</assets/([^>]+)>; ([^,]+)", answer.headers.get("link", ""))
    assert all((ASSETS / file).is_file() and file.encode() not in bytes(answer.body) for file, _ in links)
    return {re.sub(r"-[\w-]{8}\.", ".", file): how for file, how in links}


def test_a_table_asks_at_once_for_its_view_its_styles_and_its_words() -> None:
    asked = early("/t/an-address")
    assert {"TablePage.js", "table.js", "table.css", "en.js"} <= asked.keys()
    script, style = "rel=modulepreload; crossorigin", "rel=preload; as=style; crossorigin"
    assert all(how == (style if file.endswith(".css") else script) for file, how in asked.items())


@pytest.mark.parametrize(
    ("path", "view"),
    [
        ("/", "Lobby.js"),
        ("/new", "NewTable.js"),
        ("/rules/500-rum", "Rules.js"),
        ("/history", "History.js"),
        ("/practice", "Practice.js"),
        ("/guide", "Guide.js"),
        ("/lessons", "Lessons.js"),
        ("/tips", "Tips.js"),
        ("/settings", "Settings.js"),
        ("/about", "About.js"),
    ],
)
def test_every_page_asks_for_its_view(path: str, view: str) -> None:
    assert view in early(path)


@pytest.mark.parametrize(
    ("languages", "words"),
    [
        ("de-CH, en;q=0.8", "de.js"),
        ("it, fr;q=0.9, en;q=0.8", "fr.js"),
        ("FA", "fa.js"),
        ("it", "en.js"),
        ("", "en.js"),
    ],
)
def test_words_are_those_of_the_first_language_that_there_is(languages: str, words: str) -> None:
    found = early("/", languages).keys()
    assert {file for file in found if re.fullmatch(r"[a-z]{2}\.js", file)} == {words}


def test_nothing_the_table_needs_at_once_is_left_to_be_found_later() -> None:
    index = answered(StaticPage(), "/t/an-address")
    told = set(re.findall(r"/assets/([^\">]+)", bytes(index.body).decode() + index.headers["link"]))
    imported = re.compile(r"""\b(?:import|from)\s*["'`]\./([^"'`]+\.js)["'`]""")
    scripts = [ASSETS / file for file in told if file.endswith(".js")]
    assert scripts
    assert {name for file in scripts for name in imported.findall(file.read_text())} <= told
