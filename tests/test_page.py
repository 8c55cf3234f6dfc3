"""The page's sources and its built files: what a strict policy and five languages ask of them."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "rum500" / "server" / "page"
LANGUAGES = ("de", "en", "es", "fa", "fr")
NAMESPACES = sorted(file.stem for file in (WEB / "messages" / "en").glob("*.json"))


def messages(language: str, namespace: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((WEB / "messages" / language / f"{namespace}.json").read_text())
    found.pop("$schema", None)
    return found


def inputs(message: object) -> set[str]:
    """The names in braces: what a sentence is filled with."""
    text = json.dumps(message)
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("namespace", NAMESPACES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_message_with_the_same_inputs(language: str, namespace: str) -> None:
    english, told = messages("en", namespace), messages(language, namespace)
    assert told.keys() == english.keys()
    assert all(name.startswith(f"{namespace}_") for name in told)
    differing = [
        name for name in english if not inputs(told[name]) <= inputs(english[name]) | selected(english[name])
    ]
    assert not differing


def selected(message: object) -> set[str]:
    """The inputs that a message chooses its words by: a language may say them or not."""
    return set(re.findall(r"input (\w+)", json.dumps(message)))


def test_namespaces_are_those_that_are_read() -> None:
    settings = json.loads((WEB / "project.inlang" / "settings.json").read_text())
    paths = settings["plugin.inlang.messageFormat"]["pathPattern"]
    assert sorted(re.findall(r"(\w+)\.json", " ".join(paths))) == NAMESPACES
    assert sorted(settings["locales"]) == list(LANGUAGES)


def test_no_markup_carries_style_that_the_policy_refuses() -> None:
    for file in (WEB / "src").rglob("*.svelte"):
        markup = re.sub(r"<style.*?</style>", "", file.read_text(), flags=re.DOTALL)
        assert not re.search(r'\sstyle="|\sstyle=\{|\sstyle=`|\son[a-z]+="', markup), file


def test_index_has_no_script_or_style_of_its_own() -> None:
    index = (PAGE / "index.html").read_text()
    assert re.findall(r"<script[^>]*>([^<]+)</script>", index) == []
    assert all("src=" in each for each in re.findall(r"<script[^>]*>", index))
    assert "<style" not in index
    assert "style=" not in index


def test_page_loads_nothing_from_elsewhere() -> None:
    for file in [PAGE / "index.html", *PAGE.rglob("*.css")]:
        assert not re.search(
            r"""(?:src|href)="(?:https?:)?//|url\(\s*["']?(?:https?:)?//""", file.read_text()
        ), file


def test_files_whose_names_do_not_change_are_few() -> None:
    named = {file.name for file in PAGE.iterdir() if file.suffix not in {".br", ".gz"}}
    assert named - {"offline"} == {  # only `make offline` adds the pack
        "assets",
        "early.json",
        "icon-180.png",
        "icon-192.png",
        "icon-512.png",
        "icon-maskable.png",
        "icon-turn.svg",
        "icon.svg",
        "index.html",
        "manifest.webmanifest",
        "sw.js",
    }
    assert all(re.search(r"-[\w-]{8}\.", file.name) for file in (PAGE / "assets").iterdir())


def test_manifest_names_icons_that_are_there_in_the_size_it_says() -> None:
    manifest = json.loads((PAGE / "manifest.webmanifest").read_text())
    for icon in manifest["icons"]:
        content = (PAGE / icon["src"].lstrip("/")).read_bytes()
        if icon["type"] == "image/png":
            assert content.startswith(b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        else:
            assert (icon["type"], icon["sizes"]) == ("image/svg+xml", "any")
            assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"] if icon["purpose"] == "any"}


def test_manifest_says_how_the_page_is_installed() -> None:
    manifest = json.loads((PAGE / "manifest.webmanifest").read_text())
    assert manifest["name"] == manifest["short_name"] == "rum500"
    assert manifest["start_url"] == manifest["scope"] == ".", "wherever the site lies"
    assert manifest["display"] == "standalone"
    index = (PAGE / "index.html").read_text()
    assert '<link rel="manifest" href="/manifest.webmanifest" />' in index
    colours = re.findall(r'<meta name="theme-color" content="(#[0-9a-f]{6})"', index)
    assert len(colours) == 2
    assert manifest["theme_color"] == manifest["background_color"] in colours


def test_service_worker_is_one_file_that_names_all_others() -> None:
    worker = (PAGE / "sw.js").read_text()
    assert not re.search(r"__[A-Z]+__|\bimport\b", worker)
    scripts = {f"assets/{file.name}" for file in (PAGE / "assets").glob("*.js")}
    assert scripts == {name for name in re.findall(r"assets/[\w.-]+", worker) if name.endswith(".js")}
    assert "api/" in worker
    assert "/ws/" not in worker
