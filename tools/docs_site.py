"""Build the documentation as a static site: README, docs/, bench/README.md and a reference from docstrings.

The reference holds every name in the `__all__` of every package, once: on the page of the first package that
exports it, `rum500` itself first. The adapters' modules are there too, where their project is installed. A
warning fails the build, and so does a broken link or a page that fetches anything from another host. The
build itself needs no network.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import get_args

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util.console import nocolor

import rum500
from tools import offline_pack, static_site

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "docs"
APPLICATIONS = ("cli", "server", "store")
"""Packages of the program rather than the library; their formats and protocols have separate pages."""
LINKED = (
    "docs/**/*.*",
    "docs/deployment/*",
    "bench/README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "src/**/*.py",
)
"""The pages, and the files to which they link."""
STUDIES = ("first-player", "house-rules", "options", "pile", "luck", "skill")
CONTENTS = {
    "Play": (
        "docs/install",
        "docs/rulebook",
        "docs/score-pad",
        "docs/club-server",
        "docs/upgrading",
        "docs/hosting",
        "docs/offline",
        "docs/fair-deals",
        "docs/notation",
        "docs/profiles/*",
    ),
    "Library": (
        "docs/library",
        "docs/in-the-browser",
        "reference/index",
        "docs/bots",
        "docs/writing-bots",
        "docs/search-bots",
        "docs/search-methods",
        "docs/levels/README",
        "docs/levels/*",
        "docs/first-evening",
        "docs/lab",
        "docs/corpus",
        "docs/studies",
        *(f"docs/studies/{name}/page" for name in STUDIES),
        "docs/spaces",
        "docs/learned-bots",
        "docs/belief",
        "docs/arena",
        "docs/evaluate",
        "docs/ladder",
        "docs/scale",
        "docs/review",
    ),
    "Formats and protocols": (
        "docs/position-format",
        "docs/record-format",
        "docs/engine-protocol",
        "docs/protocol",
    ),
    "Project": (
        "docs/*",
        "bench/README",
        "docs/decisions/README",
        "docs/decisions/*",
        "ARCHITECTURE",
        "CONTRIBUTING",
        "CHANGELOG",
    ),
}
"""The site's navigation; a pattern matches pages that are not named elsewhere."""
CONSOLE = ROOT / "tools" / "docs_console.js"
"""The script that runs the code of one page in the browser."""
FETCHES = re.compile(
    r"""<(?:script|img|iframe|source|audio|video)\b[^>]*\bsrc(?:set)?\s*=\s*["']?(?:https?:)?//[^"'\s>]+"""
    r"""|<link\b(?![^>]*\brel=["']?canonical)[^>]*\bhref\s*=\s*["']?(?:https?:)?//[^"'\s>]+"""
    r"""|@import\s+(?:url\()?["']?(?:https?:)?//[^"')]+|url\(\s*["']?(?:https?:)?//[^"')]+""",
    re.IGNORECASE,
)
"""What makes a browser load something from another host."""
SETTINGS = {
    "project": "rum500",
    "copyright": "the rum500 contributors",
    "version": rum500.__version__,
    "release": rum500.__version__,
    "extensions": ["myst_parser", "sphinx.ext.autodoc"],
    "root_doc": "index",
    "include_patterns": [
        "index.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs/**.md",
        "bench/README.md",
        "reference/**.md",
    ],
    "default_role": "py:obj",
    "add_module_names": False,
    "autodoc_member_order": "bysource",
    "autodoc_typehints": "signature",
    "python_use_unqualified_type_names": True,
    "python_maximum_signature_line_length": 88,
    "myst_heading_anchors": 6,
    "html_theme": "furo",
    "html_static_path": ["_static"],
    "html_js_files": [(CONSOLE.name, {"type": "module"})],
    "html_title": f"rum500 {rum500.__version__}",
    "html_copy_source": False,
    "html_show_sphinx": False,
    "pygments_style": "default",
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, default=BUILT / "html", help="where the site is written")
    chosen = options.parse_args()
    shutil.rmtree(chosen.out, ignore_errors=True)
    if not sys.stderr.isatty():
        nocolor()
    source = BUILT / "source"
    write_sources(source)
    site = Sphinx(
        source,
        None,
        chosen.out,
        BUILT / "doctrees",
        "html",
        confoverrides=SETTINGS,
        status=None,
        freshenv=True,
        warningiserror=True,
    )
    site.add_lexer("rum500", TextLexer)
    site.build()
    fetched = list(requests_elsewhere(chosen.out))
    for line in fetched:
        print(line, file=sys.stderr)
    if site.statuscode or fetched:
        return 1
    print(f"The documentation is in {chosen.out / 'index.html'}")
    return 0


def requests_elsewhere(site: Path) -> Iterator[str]:
    """Yield what pages and style sheets load from other hosts, each with its file; links do not count."""
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".svg"):
            for found in FETCHES.finditer(path.read_text()):
                yield f"{path.relative_to(site)} fetches {found[0]}"


def write_sources(source: Path) -> None:
    """Fill a folder with the sources of the site: copies of the pages, an index and the reference."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for pattern in LINKED:
        for path in ROOT.glob(pattern):
            copy = source / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    static = source / "_static"
    static.mkdir()
    shutil.copy(CONSOLE, static)
    if offline_pack.current():
        static_site.copy_pack(static / offline_pack.PACK.name)
    else:
        print("The code of docs/in-the-browser.md will not run: it needs make offline")
    (source / "index.md").write_text("\n".join([(ROOT / "README.md").read_text(), *contents(source)]))
    folder = source / "reference"
    folder.mkdir()
    modules = list(public_packages())
    (folder / "index.md").write_text("\n".join(overview(modules)))
    documented: dict[int, str] = {}
    for module in modules:
        (folder / f"{module.__name__}.md").write_text("\n".join(reference(module, documented)))


def contents(source: Path) -> Iterator[str]:
    """Yield the navigation, which is hidden at the end of the index; the theme shows it at the side."""
    pages = {
        page.relative_to(ROOT).with_suffix("").as_posix()
        for pattern in (
            "docs/**/*.md",
            "bench/README.md",
            "ARCHITECTURE.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
        )
        for page in ROOT.glob(pattern)
    }
    named = {entry for entries in CONTENTS.values() for entry in entries}
    for caption, entries in CONTENTS.items():
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n"
        for entry in entries:
            if entry.endswith("*"):
                folder = entry.removesuffix("/*")
                yield from sorted(page for page in pages - named if page.rpartition("/")[0] == folder)
            else:
                yield entry
        yield "```"


def public_packages() -> Iterator[ModuleType]:
    """Yield `rum500` and every package in it that exports names, and adapters, but not the applications."""
    yield rum500
    for found in pkgutil.walk_packages(rum500.__path__, "rum500."):
        parts = found.name.split(".")
        adapter = parts[1] == "adapters"
        if not (found.ispkg or adapter) or parts[1] in APPLICATIONS or any(part[0] == "_" for part in parts):
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError:
            if adapter:  # its project is not installed
                continue
            raise
        if hasattr(module, "__all__"):
            yield module


def overview(modules: list[ModuleType]) -> Iterator[str]:
    """Yield the first page of the reference."""
    yield "# Reference\n"
    yield "Everything that the library's packages export, from the docstrings.\n"
    yield "| package | what is in it |\n|---|---|"
    for module in modules:
        yield f"| [`{module.__name__}`]({module.__name__}.md) | {summary(module)} |"
    yield "\n```{toctree}\n:hidden:\n"
    yield from (module.__name__ for module in modules)
    yield "```"


def summary(module: ModuleType) -> str:
    """Return the first sentence of a module's docstring, on one line."""
    text = " ".join((module.__doc__ or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) ", text)[0]


def reference(module: ModuleType, documented: dict[int, str]) -> Iterator[str]:
    """Yield the page of a package; add its names to `documented`."""
    name = module.__name__
    yield f"# {name}\n"
    yield f"```{{eval-rst}}\n.. automodule:: {name}\n   :no-members:\n"
    elsewhere = []
    for exported in sorted(module.__all__, key=str.casefold):
        if exported.startswith("__"):
            continue
        thing = getattr(module, exported)
        if has_docstring_of_its_own(thing):
            home = documented.setdefault(id(thing), f"{name}.{exported}")
            if home != f"{name}.{exported}":
                elsewhere.append(home)
                continue
        yield from described(thing, name, exported)
    if elsewhere:
        yield "Described elsewhere: " + ", ".join(f":py:obj:`{home}`" for home in elsewhere) + "."
    yield "```"


def has_docstring_of_its_own(thing: object) -> bool:
    return inspect.isclass(thing) or inspect.isroutine(thing)


def described(thing: object, module: str, name: str) -> Iterator[str]:
    """Yield the directive for one name."""
    if isinstance(thing, UnionType):
        parts = " | ".join(part.__name__ for part in get_args(thing))
        yield f".. py:type:: {module}.{name}\n   :canonical: {parts}\n"
        return
    kind = "class" if inspect.isclass(thing) else "function" if inspect.isroutine(thing) else "data"
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        kind = "exception"
    if kind == "data":  # autodoc would show the docstring of the value's type
        yield f".. py:data:: {module}.{name}\n"
        return
    yield f".. auto{kind}:: {module}.{name}"
    if inspect.isclass(thing):
        yield "   :members:"
        if any("._" in base.__module__ for base in thing.__bases__):  # it is documented in its place
            yield "   :inherited-members:"
        elif thing.__bases__ != (object,):
            yield "   :show-inheritance:"
    yield ""


if __name__ == "__main__":
    sys.exit(main())
