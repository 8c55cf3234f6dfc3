"""The notebook of the first evening: valid, without outputs of any machine, and executed to its end."""

from __future__ import annotations

import doctest
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tools.notebook import NOTEBOOK, PAGE, notebook

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_notebook_is_valid_and_has_no_outputs() -> None:
    book = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(book)
    assert sum(cell.cell_type == "code" for cell in book.cells) > 10
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in book.cells)


def test_links_of_the_notebook_lead_to_the_documentation() -> None:
    prose = "".join("".join(cell["source"]) for cell in notebook(PAGE.read_text())["cells"])
    assert "](../docs/lab.md)" in prose and "](lab.md)" not in prose


def test_each_output_of_a_page_has_a_cell_of_its_own() -> None:
    page = (
        "Before.\n\n```python\n>>> a = 1\n>>> a\n1\n>>> a + 1\n2\n\n```\n\n"
        "```text\nnot run\n```\n\n```console\n$ rum500 melds\n...\n```\n"
    )
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in notebook(page)["cells"]] == [
        ("markdown", "Before."),
        ("code", "a = 1\na"),
        ("code", "a + 1"),
        ("markdown", "```text\nnot run\n```"),
        ("code", "!rum500 melds"),
    ]


@pytest.mark.whole
@pytest.mark.compiled
def test_the_notebook_runs_and_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute of play and learning, as the page itself."""
    for name, value in {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "JUPYTER_DATA_DIR": str(tmp_path / "jupyter"),
    }.items():
        monkeypatch.setenv(name, value)
    book = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    shown = [
        "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
        for cell in book.cells
        if cell.cell_type == "code"
    ]
    text = "\n".join(shown)
    examples = doctest.DocTestParser().get_examples(PAGE.read_text())
    wanted = [example.want for example in examples if example.want]
    checker = doctest.OutputChecker()
    for want in wanted:
        assert any(checker.check_output(want, f"{output.rstrip()}\n", FLAGS) for output in shown), want
    assert "learned:first.npz is the stronger, with 95 % confidence." in text
    assert "Written to h2/page.md" in text and (tmp_path / "h2" / "page.md").exists()
