"""The plain form of typed text; the page's reader (`web/src/lib/text/typed.ts`) has the same cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rum500.normalised_text import plain_text

CASES = json.loads((Path(__file__).parent / "data" / "typed_texts.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["plain"])
def test_typed_text_has_a_plain_form(case: dict[str, str]) -> None:
    assert plain_text(case["typed"]) == case["plain"]
