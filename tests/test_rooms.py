"""The house stays in order: where bits are read, who imports whom, one name for one thing, plain words.

What is still allowed stands in `rooms.toml`. Those lists only shrink: a test fails too where an entry is no
longer needed.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rum500 import _compiled

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "rum500"
ALLOWED = tomllib.loads((ROOT / "tests" / "rooms.toml").read_text())
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYERS = next(contract["layers"] for contract in CONTRACTS if contract["id"] == "layers")
BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
INT_CALLS = {"int", "len", "sum", "ord", "hash", "bit_count", "bit_length", "from_bytes"}


@cache
def sources() -> dict[str, Path]:
    """Every module of the project by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(sources()[module].read_text())


# --- bits -------------------------------------------------------------------------------------------


class Bits(ast.NodeVisitor):
    """The functions of a module in which whole numbers are masked or shifted, each with a line.

    `&` and `|` also join sets, dictionaries and types: they count where an operand is known to be a number,
    by a literal, an annotation, or what its name was bound to. A shift of two literals is a literal.
    """

    def __init__(self) -> None:
        """Begin outside any function."""
        self.where: list[str] = []
        self.numbers: list[set[str]] = [set()]
        self.found: dict[str, int] = {}

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.where.append(node.name)
        self.generic_visit(node)
        self.where.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        self.where.append(node.name)
        self.numbers.append({arg.arg for arg in every if is_int(arg.annotation)})
        for statement in node.body:
            self.visit(statement)
        self.numbers.pop()
        self.where.pop()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name) and is_int(node.annotation):
            self.numbers[-1].add(node.target.id)
        if node.value:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        if self.number(node.value):
            names = (name for target in node.targets for name in ast.walk(target))
            self.numbers[-1].update(name.id for name in names if isinstance(name, ast.Name))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.operation(node, node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.operation(node, node.op, node.target, node.value)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Invert):
            self.note(node)
        self.generic_visit(node)

    def operation(self, node: ast.expr | ast.stmt, op: ast.operator, left: ast.expr, right: ast.expr) -> None:
        if not isinstance(op, BITS) or (is_literal(left) and is_literal(right)):
            return
        if "U64" in (getattr(left, "id", ""), getattr(right, "id", "")):
            return  # a seed is folded into 64 bits
        if isinstance(op, ast.LShift | ast.RShift | ast.BitXor) or self.number(left) or self.number(right):
            self.note(node)

    def number(self, node: ast.expr) -> bool:
        """Whether this expression is known to be a whole number."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Name):
            return any(node.id in names for names in self.numbers)
        if isinstance(node, ast.Call):
            return getattr(node.func, "attr", getattr(node.func, "id", "")) in INT_CALLS
        if isinstance(node, ast.Tuple):
            return any(map(self.number, node.elts))
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Invert) or self.number(node.operand)
        if isinstance(node, ast.BinOp):
            shift = isinstance(node.op, ast.LShift | ast.RShift)
            return shift or self.number(node.left) or self.number(node.right)
        return False

    def note(self, node: ast.expr | ast.stmt) -> None:
        self.found.setdefault(".".join(self.where) or "<module>", node.lineno)


def is_int(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "int"


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def bit_operations(text: str) -> dict[str, int]:
    """By function, the first line that masks or shifts a number."""
    bits = Bits()
    bits.visit(ast.parse(text))
    return bits.found


@pytest.mark.parametrize(
    "text",
    [
        "kind = code & 15",
        "card = code >> 4",
        "def f(code: int):\n    return code & MASK",
        "x = 0\nx |= other.mask",
        "code ^= other",
        "rest = ~used",
        "def f(xs):\n    return [x for x in xs if x & (1 << 3)]",
        "a, b = 0, 1\nb &= c",
        "async def f(code: int):\n    return KIND | code",
    ],
)
def test_a_bit_operation_is_seen(text: str) -> None:
    assert bit_operations(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: int | None) -> str | None: ...",
        "left = {1} | there",
        "raw |= {'seat': 3}",
        "size = 1 << 20",
        "isinstance(x, Take | Call)",
        "seed = number & U64",
        "here = present & ready",
    ],
)
def test_types_sets_and_sizes_are_no_bit_operations(text: str) -> None:
    assert not bit_operations(text)


def test_actions_are_read_by_their_accessors_alone() -> None:
    """Masks and shifts stay in cards, rng, rules, ai and compiled modules; others are listed with reasons."""
    found = set()
    for module, path in sources().items():
        low = module.split(".")[1:2] in (["cards"], ["rng"], ["rules"], ["ai"])
        if not low and module not in _compiled.MODULES:
            found |= {f"{module}:{function}" for function in bit_operations(path.read_text())}
    assert found == set(ALLOWED["bits"])
    assert all(len(reason) > 10 for reason in ALLOWED["bits"].values())


# --- imports ----------------------------------------------------------------------------------------


def loaded_by(module: str) -> list[str]:
    """The modules that a new process has loaded once it has imported this one."""
    code = f"import {module}, sys; print(*sys.modules)"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_root_package_loads_no_bots_and_no_server() -> None:
    told = loaded_by("rum500")
    assert "rum500.match" in told
    above = LAYERS[: LAYERS.index("match")]
    assert {"server", "store", "sim", "bots", "spaces", "ai"} < set(above)
    assert [name for name in told if name.startswith(tuple(f"rum500.{layer}" for layer in above))] == []


def test_a_process_of_reviews_loads_neither_the_database_nor_the_server() -> None:
    told = loaded_by("rum500.server.reviewing.review_work")
    assert {"rum500.store", "rum500.server.live"} < set(told)
    assert {"sqlalchemy", "structlog", "asyncio", "starlette"}.isdisjoint(told)


@cache
def imports(module: str) -> set[str]:
    """The project's modules that a module imports, wherever the statement stands but for type checking."""
    package = module if sources()[module].name == "__init__.py" else module.rpartition(".")[0]
    return imported(tree(module), package, set(sources()))


def imported(node: ast.AST, package: str, modules: set[str]) -> set[str]:
    """The modules among `modules` that the statements below this node import."""
    found: set[str] = set()
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return found.union(*(imported(child, package, modules) for child in node.orelse), set())
    if isinstance(node, ast.Import):
        found |= {alias.name for alias in node.names} & modules
    if isinstance(node, ast.ImportFrom):
        parts = package.split(".")
        base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
        base = ".".join(filter(None, [base, node.module]))
        for alias in node.names:
            found |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules else base} & modules
    below = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))
    return found.union(*(imported(child, package, modules) for child in below), set())


def test_imports_are_found() -> None:
    text = "import a.b\nfrom . import d\nif TYPE_CHECKING:\n    import a.e\ndef f():\n    from a.c import x"
    assert imported(ast.parse(text), "a", {"a", "a.b", "a.c", "a.d", "a.e"}) == {"a.b", "a.c", "a.d"}


def test_private_modules_are_imported_in_their_own_folder_alone() -> None:
    found = set()
    for module, path in sources().items():
        folder = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for other in imports(module) - {"rum500._compiled", "rum500._cython"}:
            parts = other.split(".")
            private = next((i for i, part in enumerate(parts) if re.match(r"_(?!_)", part)), None)
            if private is not None and ".".join(parts[:private]) != folder:
                found.add(f"{module} -> {other}")
    assert found == set(ALLOWED["private_imports"])


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The circles of a graph: each set of nodes that reach one another, sorted."""
    reached = {node: reach(graph, node) for node in graph}
    groups = {
        tuple(sorted(other for other in reached[node] if node in reached.get(other, ())))
        for node in graph
        if node in reached[node]
    }
    return sorted(map(list, groups))


def reach(graph: dict[str, set[str]], start: str) -> set[str]:
    """The nodes at the end of a way of one step or more."""
    found: set[str] = set()
    left = [start]
    while left:
        for other in graph.get(left.pop(), ()):
            if other not in found:
                found.add(other)
                left.append(other)
    return found


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"d", "a"}}
    assert circles(graph) == [["b", "c"], ["d"]]


def test_no_modules_import_each_other() -> None:
    graph = {module: imports(module) - {module} for module in sources()}
    assert circles(graph) == sorted(ALLOWED["circles"]["modules"])


def test_no_folders_import_each_other() -> None:
    """Of two neighbours in a folder, each a module or a folder, only one imports the other."""
    graphs: dict[str, dict[str, set[str]]] = {}
    for module in sources():
        for other in imports(module):
            here, there = module.split("."), other.split(".")
            at = next(
                (i for i, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), None
            )
            if at is not None:
                a, b = ".".join(here[: at + 1]), ".".join(there[: at + 1])
                graphs.setdefault(".".join(here[:at]), {}).setdefault(a, set()).add(b)
    found = [circle for graph in graphs.values() for circle in circles(graph)]
    known = ALLOWED["circles"]["modules"]
    assert sorted(c for c in found if c not in known) == sorted(ALLOWED["circles"]["folders"])


# --- names and words --------------------------------------------------------------------------------


def test_no_class_name_stands_twice() -> None:
    names = Counter(
        node.name for module in sources() for node in tree(module).body if isinstance(node, ast.ClassDef)
    )
    assert {name for name, times in names.items() if times > 1} == set(ALLOWED["class_names"]["twice"])


def prose() -> Iterator[str]:
    """The lines of docstrings and comments, of modules with a private word anywhere; those of all pages."""
    scripts = [path for folder in ("bench", "examples", "tools") for path in ROOT.glob(f"{folder}/**/*.py")]
    for path in [*sources().values(), *sorted(scripts)]:
        text = path.read_text()
        if not _PRIVATE.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield from str(node.value.value).splitlines()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string
    pages = [page for glob in ("*.md", "docs/**/*.md", "bench/*.md", "web/*.md") for page in ROOT.glob(glob)]
    for page in [ROOT / "Makefile", *sorted(pages)]:
        yield from page.read_text().splitlines()


_PRIVATE = re.compile(
    r"\b(anew|by and by|whoever|once more|holds no longer|besides|at most so many|for ever|so and so"
    r"|without more ado)\b",
    re.IGNORECASE,
)
"""Words that a reader whose first language is not English has to look up, or that no manual uses."""


@pytest.mark.parametrize(("line", "found"), [("Begin anew.", True), ("renewed", False), ("Besides", True)])
def test_private_words_are_found(line: str, found: bool) -> None:
    assert bool(_PRIVATE.search(line)) == found


def test_no_private_word_is_used() -> None:
    assert [line for line in prose() if _PRIVATE.search(line)] == []
