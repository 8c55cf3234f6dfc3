"""The site of notebooks: a cell in Chromium imports rum500, and no request goes to another host."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.waiting import PATIENCE
from tests.web.test_static_site import served
from tools import notebook_site

ROOT = Path(__file__).parents[2]
METADATA = """Metadata-Version: 2.4
Name: A.Game
Version: 1.0
Requires-Dist: Some_Cards>=2
Requires-Dist: terminal; sys_platform != "emscripten"
Requires-Dist: lab; extra == "all"
"""


def test_list_of_packages_names_what_a_wheel_needs_in_the_browser(tmp_path: Path) -> None:
    wheel = tmp_path / "a_game-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("a_game-1.0.dist-info/METADATA", METADATA)
        packed.writestr("a_game/__init__.py", "")
        packed.writestr("a_game/cards.toml", "")
        packed.writestr("_fast.so", "")
    found = notebook_site.package(wheel)
    assert (found["name"], found["version"], found["file_name"]) == ("a-game", "1.0", wheel.name)
    assert (found["depends"], found["imports"]) == (["some-cards"], ["_fast", "a_game"])


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site."""
    folder = tmp_path_factory.mktemp("notebooks") / "site"
    notebook_site.write(folder)
    with served(folder) as url:
        yield url


def run(page: Page, code: str) -> None:
    """Run code as the next cell of the console."""
    page.locator(".jp-CodeConsole-promptCell .cm-content").click()
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")


@pytest.mark.whole
def test_cell_of_a_notebook_imports_rum500_without_requests_to_other_hosts(
    browser: Browser, notebooks: str
) -> None:
    codes = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / "in-the-browser.md").read_text(), re.MULTILINE | re.DOTALL
    )
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    requested: list[str] = []
    context.on("request", lambda request: requested.append(request.url))
    page = context.new_page()
    page.goto(f"{notebooks}/repl/index.html?kernel=python")
    for index, (code, shown) in enumerate(
        zip(codes, ["actor=1", "(106, 80, 1, -46)", "R-TURN-1"], strict=True)
    ):
        run(page, code)
        expect(page.locator(".jp-CodeCell .jp-OutputArea").nth(index)).to_contain_text(shown)
    run(page, "1 / 0")
    expect(page.locator(".jp-CodeConsole-content")).to_contain_text("ZeroDivisionError: division by zero")
    context.close()
    assert [url for url in requested if not url.startswith((f"{notebooks}/", "data:", "blob:"))] == []
    assert any("/static/pyodide/rum500-" in url for url in requested)
