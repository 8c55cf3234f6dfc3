"""Write a folder of static files that is the whole product without a server: rules, practice, play with bots.

It is the built page with its pack, and one line that makes the page play on the device. Any host of files can
serve it; `--base` is the path below which it does. Addresses of pages are real files, because a plain host
knows no others; `404.html`, which many hosts send for all other addresses, opens tables.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tools import offline_pack, page

ADDRESSES = page.WEB / "src" / "pages.ts"
SWITCH = '<meta name="rum500-site" content="static" />'
RUM500 = page.ROOT / "src" / "rum500"
OUT = page.ROOT / "build" / "site"
LEFT_OUT = shutil.ignore_patterns("*.br", "*.gz", "early.json")


def addresses() -> Iterator[str]:
    """Yield the addresses of the page that are known beforehand, without slashes at their ends."""
    known = {
        "profile": [file.stem for file in sorted((RUM500 / "rules" / "profiles").glob("*.toml"))],
        "lesson": [
            file.stem.partition("-")[2] for file in sorted((RUM500 / "puzzles" / "lessons").glob("*.toml"))
        ],
        "which": ["daily", "puzzles"],
    }
    for path in re.findall(r"\bpath: '/([^']*)'", ADDRESSES.read_text()):
        fixed, *parts = path.split("/:")
        if not parts or (len(parts) == 1 and path.endswith("?")):
            yield fixed
        if len(parts) == 1:
            yield from (f"{fixed}/{name}" for name in known.get(parts[0].rstrip("?"), ()))


def write(out: Path, base: str) -> None:
    """Write the site into a folder, which is replaced, for a host that serves it below the path `base`."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(page.PAGE, out, ignore=LEFT_OUT)
    index = out / "index.html"
    text = re.sub(r'\b(href|src)="/', rf'\1="{base}/', index.read_text("utf-8"))
    text = text.replace("<head>", f"<head>\n    {SWITCH}", 1)
    for place in ["404.html", *(f"{address}/index.html".lstrip("/") for address in addresses())]:
        file = out / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.rmtree(out / offline_pack.PACK.name)
    copy_pack(out / offline_pack.PACK.name)


def copy_pack(pack: Path) -> None:
    """Copy the pack to a new folder, with compressed archives, because few hosts of files compress them."""
    shutil.copytree(offline_pack.PACK, pack, ignore=LEFT_OUT)
    listed = json.loads((pack / "pack.json").read_text())
    for each in listed["files"]:
        path = pack / each["name"]
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                files = [(info, archive.read(info)) for info in archive.infolist()]
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
                for info, content in files:
                    archive.writestr(info, content, zipfile.ZIP_DEFLATED)
            each["bytes"] = each["sent"] = path.stat().st_size
    for key in ("bytes", "sent"):
        listed[key] = sum(each[key] for each in listed["files"])
    (pack / "pack.json").write_text(json.dumps(listed, indent=1) + "\n")


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--out", type=Path, default=OUT, help="the folder, which is replaced")
    options.add_argument("--base", default="", help="the path of the site on its host, such as /cards")
    chosen = options.parse_args()
    base = "/".join(["", *filter(None, chosen.base.split("/"))])
    if not re.fullmatch(r"(/[\w.~-]+)*", base):
        options.error(f"--base must be the path of an address, such as /cards, not {chosen.base}")
    if not offline_pack.current():
        sys.exit("The site needs the pack for play without a network: make offline")
    write(chosen.out, base)
    print(f"The site is in {chosen.out}; its host serves it at {base}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
