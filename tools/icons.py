"""Draw the page's icons, web/public/icon*.png, from icon.svg.

Drawing requires a Chromium. Each PNG contains the hash of its source, so that checking requires none.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import zlib
from pathlib import Path

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
DRAWING = PUBLIC / "icon.svg"
# The size in pixels, and the part of it that the drawing fills; masks may cut off the rest.
ICONS = {
    "icon-180.png": (180, 1.0),
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "icon-maskable.png": (512, 0.86),
}
GROUND = "#15323b"
KEY = b"drawing"


def source() -> bytes:
    """Return the hash of an icon's source, as stored in the PNG."""
    return KEY + b"\0" + hashlib.sha256(DRAWING.read_bytes()).hexdigest().encode()


def marked(png: bytes) -> bytes:
    """Return the PNG with a text chunk after its header that contains the hash of its source."""
    header = 8 + 25
    text = b"tEXt" + source()
    return (
        png[:header]
        + struct.pack(">I", len(text) - 4)
        + text
        + struct.pack(">I", zlib.crc32(text))
        + png[header:]
    )


def draw() -> None:
    """Draw all icons."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - checking needs neither

    from tools.chromium import FLAGS, find  # noqa: PLC0415

    browser_path = find() or sys.exit("There is no Chromium to draw the icons with")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=list(FLAGS))
        for name, (size, share) in ICONS.items():
            tab = browser.new_page(viewport={"width": size, "height": size})
            tab.set_content(
                f"<style>html,body{{margin:0;height:100%;background:{GROUND};display:grid;place-items:center}}"
                f"svg{{width:{size * share}px;height:{size * share}px}}</style>{DRAWING.read_text()}"
            )
            (PUBLIC / name).write_bytes(marked(tab.screenshot()))
            tab.close()
        browser.close()


def stale() -> list[str]:
    """Return the icons that were not drawn from the current source."""
    return [
        name for name in ICONS if not (PUBLIC / name).exists() or source() not in (PUBLIC / name).read_bytes()
    ]


def faults() -> list[str]:
    """Return a line for each stale icon."""
    return [f"stale: web/public/{name} (make generate)" for name in stale()]


def write() -> None:
    """Draw the icons if one is stale."""
    if stale():
        draw()
