"""Take pictures of the main screens for docs/screens/: make screenshots.

It uses a real server, the built page and Chromium. Each screen is taken as on a phone (360×640) and on a
desktop (1280×800), dark and light in turn, and stored as WebP, small enough for the repository.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.live_server import LiveServer
from tests.support.screens import Scene, screens, study_screens
from tests.support.table_page import TablePage
from tests.support.waiting import PATIENCE
from tools import chromium

FLAGS = (
    *("--no-limits", "--bot-pause-ms", "5", "--log-level", "warning"),
    *("--review-budget", "quick", "--review-niceness", "0"),
)
SCREENS = screens() | study_screens()
FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screens"
MOST = 150 * 1024
# Without animations, the cards that moved are outlined for a second.
OUTLINED_MS = 1_200
Theme = Literal["dark", "light"]
THEMES: tuple[Theme, ...] = ("dark", "light")
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 360, "height": 640},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
}


def picture(
    browser: Browser, server: LiveServer, scene: Scene, size: str, theme: Theme, locale: str
) -> bytes:
    """Return one screen as WebP; the quality is reduced until it is small enough."""
    context = browser.new_context(
        color_scheme=theme,
        locale=locale,
        reduced_motion="reduce",
        **SIZES[size],
    )
    name, _, value = scene.guest.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server.url}])
    page = TablePage(context.new_page(), server.url)
    scene.before(page.page)
    page.open(scene.path)
    scene.after(page)
    page.page.wait_for_load_state("networkidle")
    page.page.wait_for_timeout(OUTLINED_MS)
    talk = context.new_cdp_session(page.page)
    data = b""
    for quality in (90, 80, 65, 50):
        shot = talk.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        data = base64.b64decode(shot["data"])
        if len(data) <= MOST:
            break
    context.close()
    return data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SCREENS)}; all, if none is given")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--themes", default="", help="dark,light: both of each; else they take turns")
    parser.add_argument("--locale", default="en-GB")
    wanted = parser.parse_args()
    found = chromium.find() or chromium.install()
    if found is None:
        print(chromium.missing(), file=sys.stderr)
        return 1
    wanted.out.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=1000 * PATIENCE)
    with (
        tempfile.TemporaryDirectory() as data,
        LiveServer(Path(data), *FLAGS) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=list(chromium.FLAGS))
        for name in wanted.names or SCREENS:
            for size in SIZES:
                turn = THEMES[(list(SCREENS).index(name) + (size == "phone")) % 2]
                for theme in wanted.themes.split(",") if wanted.themes else (turn,):
                    file = wanted.out / f"{name}-{size}-{theme}.webp"
                    scene = SCREENS[name](server)  # made again, because some scenes change with time
                    file.write_bytes(picture(browser, server, scene, size, theme, wanted.locale))
                    print(f"{file} {file.stat().st_size // 1024} KiB", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
