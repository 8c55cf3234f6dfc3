"""The locks, and the program that installs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = [*(ROOT / "requirements").glob("*.txt"), ROOT / "examples" / "requirements.txt"]


def pins(lock: Path) -> set[str]:
    """The pinned versions in a lock, without markers."""
    return set(re.findall(r"^[\w.-]+(?:\[.*\])?==[^ \\]+", lock.read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_has_hashes_and_names_no_index(lock: Path) -> None:
    text = lock.read_text()
    pinned = re.findall(r"^[\w.-]+(?:\[.*\])?==.*\\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pinned) == len(re.findall("^[^ #]", text, re.MULTILINE)) > 0
    assert "://" not in text
    assert "index" not in text


@pytest.mark.parametrize("name", ["play", "uv"])
def test_what_play_needs_is_part_of_the_development_set(name: str) -> None:
    assert pins(ROOT / "requirements" / f"{name}.txt") < pins(ROOT / "requirements" / "dev.txt")


def test_uv_searches_where_pip_does(tmp_path: Path) -> None:
    settings = tmp_path / "pip.conf"
    settings.write_text(
        "[global]\nindex-url = file:///first\nextra-index-url = file:///second file:///third\n"
    )
    code = "import json; from tools.install import uv_settings; print(json.dumps(uv_settings()))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environment |= {"PIP_CONFIG_FILE": str(settings), "PIP_FIND_LINKS": "/one /two"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["UV_DEFAULT_INDEX"] == "file:///first"
    assert found["UV_INDEX"].split()[:2] == ["file:///second", "file:///third"]
    assert found["UV_FIND_LINKS"] == "/one,/two"
