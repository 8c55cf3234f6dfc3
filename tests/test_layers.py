"""cimports obey the layers too: import-linter reads Python's imports alone, so Cython's are read here."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYERS = next(contract["layers"] for contract in CONTRACTS if contract["type"] == "layers")
#: The height of each layer's package: 0 is the lowest. Neighbours in one layer do not see each other.
HEIGHTS = {
    name.strip(" ()"): height
    for height, layer in enumerate(reversed(LAYERS))
    for name in re.split("[|:]", layer)
}

STATEMENTS = (
    re.compile(
        r"^[ \t]*from[ \t]+(?P<base>[\w.]+)[ \t]+cimport[ \t]+(?P<names>\([^)]*\)|[^\n#]*)", re.MULTILINE
    ),
    re.compile(
        r"^[ \t]*from[ \t]+cython\.cimports\.(?P<base>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#]*)",
        re.MULTILINE,
    ),
    re.compile(
        r"^[ \t]*from[ \t]+cython\.cimports[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#]*)", re.MULTILINE
    ),
    re.compile(r"^[ \t]*cimport[ \t]+(?P<names>[^\n#]*)", re.MULTILINE),
    re.compile(r"^[ \t]*import[ \t]+cython\.cimports\.(?P<names>[^\n#]*)", re.MULTILINE),
)


def cimported(text: str, module: str) -> set[str]:
    """The dotted names that a source text cimports, each with its base, seen from the module `rum500.…`."""
    found = set()
    for statement in STATEMENTS:
        for match in statement.finditer(text):
            base = absolute(match.groupdict().get("base") or "", module)
            for name in re.split(r"[,\s()\\]+", re.sub(r"\s+as\s+\w+", "", match["names"])):
                if name:
                    found.add(f"{base}.{name.removeprefix('cython.cimports.')}".lstrip("."))
    return found


def absolute(base: str, module: str) -> str:
    """A relative base spelled out."""
    rest = base.lstrip(".")
    up = len(base) - len(rest)
    return base if up == 0 else ".".join([*module.split(".")[:-up], *filter(None, [rest])])


def breaches(text: str, module: str) -> set[str]:
    """The cimports of a module that go up, or across to a neighbour."""
    here = module.split(".")[1]
    there = {name: name.split(".")[1] for name in cimported(text, module) if name.startswith("rum500.")}
    return {name for name, layer in there.items() if layer != here and HEIGHTS[layer] >= HEIGHTS[here]}


@pytest.mark.parametrize(
    "text",
    [
        "from rum500.sim.runner cimport go",
        "from rum500.bots cimport (\n    a,\n    b,\n)",
        "from rum500 cimport sim",
        "    from ...bots.search cimport go  # a comment",
        "cimport rum500.cards, rum500.sim as s",
        "from cython.cimports.rum500.view import View",
        "from cython.cimports.rum500 import cards, match",
        "import cython.cimports.rum500.record",
        "from cython.cimports import rum500.view",
    ],
)
def test_a_cimport_upwards_is_seen(text: str) -> None:
    assert len(breaches(text, "rum500.rules.engine.core")) == (2 if "bots cimport (" in text else 1)


@pytest.mark.parametrize(
    "text",
    [
        "from rum500.rng cimport mix64, advance",
        "from rum500.rules.engine.core cimport Core",
        "from .core cimport Core",
        "from libc.string cimport memcpy",
        "cimport cython",
        "from cython.cimports.rum500.rng import mix64",
        "# from rum500.sim cimport go",
    ],
)
def test_a_cimport_downwards_is_fine(text: str) -> None:
    assert breaches(text, "rum500.rules.engine.playouts") == set()


def test_neighbours_do_not_see_each_other() -> None:
    assert breaches("from rum500.cards cimport x", "rum500.rng") == {"rum500.cards.x"}


def test_no_source_cimports_upwards() -> None:
    found = {}
    for source in [*ROOT.glob("src/**/*.py"), *ROOT.glob("src/**/*.pxd")]:
        module = ".".join(source.relative_to(ROOT / "src").with_suffix("").parts)
        if module.split(".")[1] in HEIGHTS:
            found[module] = breaches(source.read_text(), module)
    assert len(found) > 100
    assert {module: upwards for module, upwards in found.items() if upwards} == {}
