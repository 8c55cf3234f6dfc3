"""Every code block of the README and of docs/ is executed: what they say is what happens.

`python` blocks run in one namespace a page; a `>>>` block is a doctest. In `console` blocks each `$ rum500`
line is run, in a folder of the page's own, and what it prints is compared with what follows; `...` stands for
anything. `$ make …` lines name targets of the Makefile. A block whose first line is `# file: NAME` is
written to that folder.
"""

from __future__ import annotations

import doctest
import importlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from cyclopts.exceptions import MissingArgumentError

import rum500
from rum500.bots import registry
from rum500.cli import application, main
from tests.support.depth import whole_tests

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")])
#: Blocks of `sh` are for another machine: tests/test_club_server.py types them into a new one.
LANGUAGES = {"python", "console", "text", "toml", "json", "rum500", "sh", ""}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line it begins on."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    text = page.read_text()
    for found in re.finditer(r"^```([^\n]*)\n(.*?)^```\s*$", text, re.MULTILINE | re.DOTALL):
        yield Block(found[1].strip(), found[2], text.count("\n", 0, found.start()) + 1)


def test_pages_are_found() -> None:
    assert ROOT / "README.md" in PAGES
    assert len(PAGES) > 10


def test_paths_in_architecture_exist() -> None:
    roots = (ROOT, ROOT / "src" / "rum500", ROOT / "web" / "src" / "lib")
    paths = re.findall(
        r"`([\w./-]+(?:/|\.(?:py|toml|ts|svelte|css)))`", (ROOT / "ARCHITECTURE.md").read_text()
    )
    assert len(paths) > 80
    missing = [path for path in paths if not any((root / path).exists() for root in roots)]
    assert not missing


#: Pages whose commands take longer.
LONG = {ROOT / "docs" / name for name in ("arena.md", "first-evening.md")}
#: Pages whose commands play so many deals that they need the compiled engine.
COMPILED = {ROOT / "docs" / name for name in ("review.md", "review-luck.md", "studies.md", "scale.md")}


@pytest.fixture
def forgotten_modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let a page's commands import its modules, whatever files of the same names other tests have."""

    def forget() -> None:
        folder = str(tmp_path_factory.getbasetemp())
        sys.path[:] = [place for place in sys.path if not place.startswith(folder)]
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(folder):
                del sys.modules[name]

    forget()
    yield
    forget()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.compiled if page in COMPILED else ())
        for page in PAGES
        if whole_tests() or page not in LONG
    ],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_code_blocks_run_as_printed(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    forgotten_modules: None,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in (("COLUMNS", "100"), ("NO_COLOR", "1"), ("XDG_STATE_HOME", str(tmp_path))):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    # A bot that a page registers is gone with the page: other tests of this process use such names too.
    monkeypatch.setattr(registry, "_MAKERS", registry._MAKERS.copy())
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        assert block.language in LANGUAGES, f"{where}: no one says what a {block.language!r} block is for"
        named = re.match(r"# file: (\S+)\n", block.text)
        if named:
            (tmp_path / named[1]).write_text(block.text[named.end() :])
        elif block.language == "console":
            run_console(block.text, where, capfd)
        elif block.language == "python" and ">>>" in block.text:
            run_doctest(block.text, namespace, where)
        elif block.language == "python":
            exec(compile(block.text, where, "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """To a file that is there, and to a heading of it."""
    for target in re.findall(
        r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    ):
        path, _, heading = target.partition("#")
        if "://" in path:
            continue
        to = (page.parent / path).resolve() if path else page
        assert to.is_file(), f"{page.name}: {target}"
        if heading and to.suffix == ".md":
            assert heading in anchors(to), f"{page.name}: {target}"


FORMATS = {"fair", "network", "record", "table"}
"""First lines of files, such as `rum500 record 1`, which look like commands."""


def named_commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of our commands in the text of a page and in blocks that are not run."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = [" ".join(text.split()) for text in re.findall(r"`rum500 ([a-z][^`]*)`", prose)]
    for block in blocks(page):
        if block.language == "text":
            text = block.text.replace("\\\n", "")
            found += re.findall(r"^(?:\.venv/bin/|[0-9a-f]{16}  )?rum500 ([a-z].*)$", text, re.MULTILINE)
    yield from (shlex.split(words) for words in {*found} if words.split()[0] not in FORMATS)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name != "commands.md" and "rum500 " in page.read_text()],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_named_commands_and_their_options_exist(page: Path) -> None:
    for words in named_commands(page):
        # A sentence may name a command without its arguments.
        with suppress(MissingArgumentError):
            application().parse_args(words, exit_on_error=False, print_error=False)


def anchors(page: Path) -> set[str]:
    """What its headings are linked by, as GitHub makes them: a second of the same name is counted."""
    names = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in names]
    before = [plain[:i].count(name) for i, name in enumerate(plain)]
    return {f"{name}-{count}" if count else name for name, count in zip(plain, before, strict=True)}


def test_only_one_page_has_lines_that_install_rum500() -> None:
    """When there is a release, only this page changes."""
    places = [*PAGES, *ROOT.glob("docs/deployment/*"), *ROOT.glob("src/**/*.py"), *ROOT.glob("examples/*.py")]
    line = re.compile(r"pip3? +install[^`\n]*(?:rum500|WHEEL|\.whl)")
    # A club's server gets the wheel of a release, also when there are releases.
    pages = [ROOT / "docs" / name for name in ("club-server.md", "install.md")]
    assert [path for path in places if line.search(path.read_text())] == pages


def test_the_citation_is_valid_by_its_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.citation-file-format"]
    done = subprocess.run([*command, ROOT / "CITATION.cff"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_citation_names_this_version() -> None:
    cited = dict(re.findall(r"^([a-z-]+): (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert cited["version"] == rum500.__version__
    assert cited["cff-version"] == "1.2.0"
    released = f"## [{cited['version']}] - {cited['date-released']}"
    assert released in (ROOT / "CHANGELOG.md").read_text().splitlines()


def run_doctest(text: str, namespace: dict[str, object], where: str) -> None:
    """Run a `>>>` block; what it defines stays for the page's next block."""
    test = doctest.DocTestParser().get_doctest(text, namespace, where, where, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=said.append, clear_globs=False)
    namespace.update(test.globs)
    assert not runner.failures, "".join(said)


def run_console(text: str, where: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Run the commands of a console block and compare what they print."""
    for entry in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = entry.partition("\n")
        words = shlex.split(command, comments=True)
        if words[0] == "make":
            targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
            assert words[1] in targets, f"{where}: make {words[1]} is no target"
            continue
        if words[0] in {"git", "cd", "pip"}:
            continue
        assert words[0] == "rum500", f"{where}: this test does not run {words[0]}"
        capfd.readouterr()
        try:
            code = main(words[1:])
        except SystemExit as ended:
            code = ended.code
        printed = "".join(capfd.readouterr())
        if expected.strip():
            checker = doctest.OutputChecker()
            assert checker.check_output(expected, printed, FLAGS), f"{where}: {command}\n{printed}"
        else:
            assert code == 0, f"{where}: {command}\n{printed}"


EXAMPLES = sorted(path for path in (ROOT / "src" / "rum500").rglob("*.py") if ">>>" in path.read_text())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_docstring_examples_run_as_printed(path: Path) -> None:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    done = doctest.testmod(module, optionflags=FLAGS)
    assert done.attempted > 0 and not done.failed
