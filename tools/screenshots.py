"""Take pictures of the main screens for docs/screens/: make screenshots.

It uses a real server, the built page and Chromium. Each screen is taken as on a phone (360×640) and on a
desktop (1280×800), dark and light in turn, and stored as WebP, small enough for the repository. `round` is a
strip: the felt after one's own turn and after the turn of each bot.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.axe import settled
from tests.support.held_plays import held, next_play
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.screens import Scene, screens, study_screens, until
from tests.support.table_page import TablePage
from tests.support.waiting import PATIENCE
from tools import chromium

FLAGS = (
    *("--no-limits", "--log-level", "warning"),
    *("--review-budget", "quick", "--review-niceness", "0"),
)
PAUSE = ("--bot-pause-ms", "5")
# Slow bots: each of their plays is a message of its own.
PAUSE_OF_STRIP = ("--bot-pause-ms", "100")
SCREENS = screens() | study_screens()
STRIP = "round"
NAMES = [*SCREENS, STRIP]
FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screens"
MOST = 150 * 1024
# Without animations, the cards that moved are outlined for a second.
OUTLINED_MS = 1_200
# The rounds of which a strip shows one.
ROUNDS = 12
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


def opened(
    browser: Browser, server: LiveServer, guest: Guest, size: str, theme: Theme, locale: str
) -> tuple[BrowserContext, TablePage]:
    """Open a browser in which this guest is signed in."""
    context = browser.new_context(
        color_scheme=theme,
        locale=locale,
        reduced_motion="reduce",
        **SIZES[size],
    )
    context.set_default_timeout(1000 * PATIENCE)
    name, _, value = guest.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server.url}])
    return context, TablePage(context.new_page(), server.url)


def webp(page: Page) -> bytes:
    """Return the window as WebP; the quality is reduced until it is small enough."""
    talk = page.context.new_cdp_session(page)
    data = b""
    for quality in (90, 80, 65, 50, 35):
        shot = talk.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        data = base64.b64decode(shot["data"])
        if len(data) <= MOST:
            break
    return data


def picture(
    browser: Browser, server: LiveServer, scene: Scene, size: str, theme: Theme, locale: str
) -> bytes:
    """Return one screen."""
    context, page = opened(browser, server, scene.guest, size, theme, locale)
    scene.before(page.page)
    page.open(scene.path)
    scene.after(page)
    page.page.wait_for_load_state("networkidle")
    page.page.wait_for_timeout(OUTLINED_MS)
    data = webp(page.page)
    context.close()
    return data


def strip(browser: Browser, size: str, theme: Theme, locale: str) -> bytes:
    """Return a round of bots: of some rounds the one in which most kinds of plays are made."""
    best: list[bytes] = []
    most = -1
    with (
        tempfile.TemporaryDirectory() as data,
        LiveServer(Path(data), *FLAGS, *PAUSE_OF_STRIP) as server,
    ):
        for _ in range(ROUNDS):
            shots, kinds = bots_round(browser, server, size, theme, locale)
            if "over" not in kinds and len(shots) == 4 and len(kinds) > most:
                best, most = shots, len(kinds)
            if most == 3:
                break
    return composed(browser, best, columns=len(best) if size == "phone" else 2)


def bots_round(
    browser: Browser, server: LiveServer, size: str, theme: Theme, locale: str
) -> tuple[list[bytes], set[str]]:
    """Return the felt after one's own turn and after each bot's, and the kinds of plays that bots made."""
    guest = Guest(server, "Nora")
    table = until(guest, begun, "rummy-500", players=4)
    context, page = opened(browser, server, guest, size, theme, locale)
    _, queue = held(page.page)
    page.at(table)
    while page.attribute("mine") == "true":
        number = page.number
        Mouse(page).turn()
        page.moved_on(number)
    shots, kinds = [felt(page)], set()
    while message := next_play(page, queue):
        message["send"]()
        page.reached(message["number"])
        now = {event["kind"] for event in message["events"]}
        kinds |= now & {"take", "meld", "lay", "over"}
        if "discard" in now:
            shots.append(felt(page))
    context.close()
    return shots, kinds


def begun(facts: dict[str, Any]) -> bool:
    """Return whether the player is to play while all have many cards, and some melds lie on the table."""
    lies = len(facts.get("melds") or []) >= 2 and min(facts.get("hand_sizes") or [0]) >= 4
    return lies and bool(facts.get("may")) and facts.get("phase") == "play"


def felt(page: TablePage) -> bytes:
    """Return a picture of the felt."""
    settled(page.page)
    return page.page.locator("main.ground").screenshot()


def composed(browser: Browser, pictures: list[bytes], columns: int) -> bytes:
    """Return these pictures beside and below one another, as one."""
    width = 1440 // columns
    page = browser.new_page()
    images = "".join(
        f'<img width={width} src="data:image/png;base64,{base64.b64encode(each).decode()}">'
        for each in pictures
    )
    style = f"display: inline-grid; grid-template-columns: repeat({columns}, auto); gap: 8px; margin: 0"
    page.set_content(f'<body style="{style}">{images}</body>')
    page.wait_for_function("[...document.images].every(it => it.complete)")
    box = page.locator("body").bounding_box()
    assert box is not None
    page.set_viewport_size({"width": round(box["width"]), "height": round(box["height"])})
    data = webp(page)
    page.close()
    return data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(NAMES)}; all, if none is given")
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
        LiveServer(Path(data), *FLAGS, *PAUSE) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=list(chromium.FLAGS))
        for name in wanted.names or NAMES:
            for size in SIZES:
                turn = THEMES[(NAMES.index(name) + (size == "phone")) % 2]
                for theme in wanted.themes.split(",") if wanted.themes else (turn,):
                    file = wanted.out / f"{name}-{size}-{theme}.webp"
                    if name == STRIP:
                        shot = strip(browser, size, theme, wanted.locale)
                    else:
                        scene = SCREENS[name](server)  # made again, because some scenes change with time
                        shot = picture(browser, server, scene, size, theme, wanted.locale)
                    file.write_bytes(shot)
                    print(f"{file} {file.stat().st_size // 1024} KiB", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
