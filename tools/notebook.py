"""Write examples/first_evening.ipynb from docs/first-evening.md: the same text and code, as cells."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "first-evening.md"
NOTEBOOK = ROOT / "examples" / "first_evening.ipynb"
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!\w+:|#)")


def files() -> dict[Path, str]:
    """Return the notebook."""
    return {
        NOTEBOOK: json.dumps(notebook(PAGE.read_text(encoding="utf-8")), indent=1, ensure_ascii=False) + "\n"
    }


def notebook(page: str) -> dict[str, Any]:
    """Return a page of the documentation as a notebook, without outputs."""
    cells: list[dict[str, Any]] = [
        {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        | ({"execution_count": None, "outputs": []} if kind == "code" else {})
        for number, (kind, text) in enumerate(_cells(page), 1)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(page: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each cell. Blocks that nobody can run stay in the text."""
    text, end = "", 0
    for block in _BLOCK.finditer(page):
        text += page[end : block.start()]
        end = block.end()
        code = _code(block[1], block[2])
        if not code:
            text += block[0]
            continue
        yield from _prose(text)
        text = ""
        yield from (("code", part.strip("\n")) for part in code)
    yield from _prose(text + page[end:])


def _prose(text: str) -> Iterator[tuple[str, str]]:
    if text.strip():
        yield "markdown", _LINK.sub("](../docs/", text.strip("\n"))


def _code(language: str, text: str) -> list[str]:
    """Return a block as code of cells, one for each output; an empty list if it is not to be run."""
    named = re.match(r"# file: (\S+)\n", text)
    if named:
        return [f"%%writefile {named[1]}\n{text[named.end() :]}"]
    if language == "console":
        return [f"!{line[2:]}" for line in text.splitlines() if line.startswith("$ ")]
    if language != "python":
        return []
    parts = [""]
    for example in doctest.DocTestParser().get_examples(text):
        parts[-1] += example.source
        if example.want:
            parts.append("")
    return list(filter(None, parts)) or [text]
