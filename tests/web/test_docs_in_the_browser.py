"""The code of docs/in-the-browser.md, run in the browser by the script of the documentation and the pack."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.test_static_site import served
from tools import offline_pack, static_site

ROOT = Path(__file__).parents[2]
SITE = """<!doctype html><meta charset="utf-8"><title>rum500</title>
<section id="rum500-in-the-browser">{blocks}</section>
<script type="module" src="docs_console.js"></script>"""


@pytest.mark.whole
def test_code_of_the_documentation_runs_in_the_browser(browser: Browser, tmp_path: Path) -> None:
    assert offline_pack.current(), "the pack is not of these sources: make offline"
    text = (ROOT / "docs" / "in-the-browser.md").read_text()
    codes = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(codes) == 3
    shutil.copy(ROOT / "tools" / "docs_console.js", tmp_path)
    static_site.copy_pack(tmp_path / "offline")
    blocks = "".join(f'<div class="highlight-python"><pre>{html.escape(code)}</pre></div>' for code in codes)
    (tmp_path / "index.html").write_text(SITE.format(blocks=blocks))
    with served(tmp_path) as url:
        page = browser.new_page()
        page.goto(f"{url}/")
        for index, shown in enumerate(["actor=1", "(106, 80, 1, -46)", "R-TURN-1"]):
            page.get_by_role("button", name="Run").nth(index).click()
            expect(page.get_by_role("status").nth(index)).to_contain_text(shown)
        page.get_by_label("Python").first.fill("1 / 0")
        page.get_by_role("button", name="Run").first.click()
        expect(page.get_by_role("status").first).to_contain_text("ZeroDivisionError")
        page.close()
