"""The size of what a browser loads before the page appears, measured on the built, compressed files."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src" / "rum500" / "server" / "page"
KIB = 1024

_STATIC = re.compile(r"""\b(?:import|from)\s*["'`](?:\./|/assets/)([^"'`]+\.js)["'`]""")
_LATE = re.compile(r"""\bimport\(\s*["'`](?:\./|/assets/)([^"'`]+\.js)["'`]""")


@pytest.fixture(scope="module")
def index() -> str:
    """The page's index.html."""
    assert (PAGE / "index.html").exists(), "the page is not built: make page"
    return (PAGE / "index.html").read_text()


def script(name: str) -> str:
    return (PAGE / "assets" / name).read_text()


def weight(names: set[str]) -> int:
    """The bytes of these scripts as gzip sends them."""
    return sum(len(gzip.compress((PAGE / "assets" / name).read_bytes(), 9)) for name in names)


def with_imports(names: set[str]) -> set[str]:
    """These scripts and all that they import at once."""
    found: set[str] = set()
    while names:
        found |= names
        names = {each for name in names for each in _STATIC.findall(script(name))} - found
    return found


def first(index: str) -> set[str]:
    """The scripts that the index names, and all that they import at once."""
    named = set(re.findall(r'(?:src|href)="/assets/([^"]+\.js)"', index))
    assert named
    return with_imports(named)


def cards() -> set[str]:
    """The cards' drawings, which have a budget of their own."""
    found = {each.name for each in PAGE.glob("assets/cards-*.js")}
    assert found, "the cards have no file of their own"
    return found


def languages(late: bool) -> dict[str, set[str]]:
    """The scripts of each language: its words for the beginning, or its sentences of rules and refusals."""
    mark = re.compile(r"(game_(rule|reason)|words_(say|typed))_\w")
    found: dict[str, set[str]] = {}
    for file in PAGE.glob("assets/*.js"):
        if (name := re.match(r"(de|en|es|fa|fr)-", file.name)) and bool(
            mark.search(file.read_text())
        ) == late:
            found[name[1]] = {file.name}
    return found


def test_first_load_is_within_115_kib_in_every_language_and_on_every_route(index: str) -> None:
    start = first(index)
    words = languages(late=False)
    assert sorted(words) == ["de", "en", "es", "fa", "fr"]
    heaviest = max(words.values(), key=weight)
    late = {each for name in start for each in _LATE.findall(script(name))}
    routes = {each for each in late if not re.match(r"(de|en|es|fa|fr)-", each)}
    assert routes, "no part of the page is loaded late"
    loads = {route: weight(with_imports(start | heaviest | {route}) - cards()) for route in routes}
    for route, load in sorted(loads.items(), key=lambda each: each[1]):
        print(f"{load / KIB:6.1f} KiB  {route}")
    assert max(loads.values()) <= 115 * KIB


def test_sentences_of_rules_and_refusals_come_late(index: str) -> None:
    late = languages(late=True)
    assert sorted(late) == ["de", "en", "es", "fa", "fr"]
    assert not first(index) & set().union(*late.values())


@pytest.mark.parametrize("name", ["Pad", "MayI"])
def test_score_pad_and_referee_are_within_40_kib(name: str, index: str) -> None:
    """What they load beside the scripts that other pages have too."""
    start = first(index)
    late = {each for one in start for each in _LATE.findall(script(one))}
    pages = {each for each in late if re.match(r"(Pad|MayI)-", each)}
    (page,) = (each for each in pages if each.startswith(name))
    own = with_imports({page}) - start - with_imports(late - pages)
    styles = {
        each.name for one in own for each in PAGE.glob(f"assets/{one.split('.')[0].split('-')[0]}-*.css")
    }
    print(f"{weight(own | styles) / KIB:.1f} KiB: {', '.join(sorted(own | styles))}")
    assert weight(own | styles) <= 40 * KIB


def test_cards_are_within_110_kib() -> None:
    print(f"{weight(cards()) / KIB:.1f} KiB of cards")
    assert weight(cards()) <= 110 * KIB


def test_compressed_files_hold_what_the_plain_ones_do() -> None:
    packed = sorted(PAGE.rglob("*.gz"))
    assert packed
    for file in packed:
        assert gzip.decompress(file.read_bytes()) == file.with_suffix("").read_bytes()
        # Of the smallest files gzip makes a few bytes less.
        assert file.with_suffix(".br").stat().st_size <= file.stat().st_size + 8


def test_every_large_text_is_compressed() -> None:
    for file in PAGE.rglob("*"):
        if file.suffix in {".js", ".css", ".html", ".svg", ".webmanifest"} and file.stat().st_size >= 512:
            assert Path(f"{file}.br").exists(), file.name
            assert Path(f"{file}.gz").exists(), file.name


def test_no_script_of_the_lobby_or_the_table_uses_words_that_are_loaded_late(index: str) -> None:
    """They would show a word's name in place of the word."""
    (english,) = languages(late=True)["en"]
    words = set(re.findall(r"\b((?:game|pages|review|words)_\w+)", script(english)))
    start = first(index)
    (table,) = {
        name for each in start for name in _LATE.findall(script(each)) if name.startswith("TablePage-")
    }
    early = with_imports(start | {table})
    used = {name: set(re.findall(r"\.(\w+_\w+)\b", script(name))) & words for name in early}
    # Titles of pages and the phrases of refusals are looked up when their words are there.
    asked = {name: set(re.findall(r"[`\"'](\w+)[`\"'] ?in\b", script(name))) for name in early}
    used = {
        name: {word for word in found - asked[name] if not word.endswith("_title")}
        for name, found in used.items()
    }
    assert {name: found for name, found in used.items() if found} == {}
    assert len(words) > 300
