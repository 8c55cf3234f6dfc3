"""Write core.pyi, the Python interface of the compiled core, for mypy, which does not read core.pxd.

Attributes, constants and C methods come from core.pxd, the rest from core.py. Functions that only C code can
call in the compiled core are left out, so that mypy refuses calls of them.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tools.generate import ROOT

ENGINE = ROOT / "src" / "rum500" / "rules" / "engine"
HEAD = '''"""What Python sees of the core. Written by tools/engine_stub.py; do not edit."""

from typing import Any, Final

from rum500.cards import Card
'''

CONSTANT = re.compile(r"^    (\w+) = (\w+)$", re.MULTILINE)
CLASS = re.compile(r"^cdef class (\w+).*:\n((?:(?: .*)?\n)*)", re.MULTILINE)
ATTRIBUTES = re.compile(r"^    cdef public ([\w ]+?)(\[\d+\])? (\w+(?:, \w+)*)$", re.MULTILINE)
METHOD = re.compile(r"^    (c|cp)def ([\w ]+?) (\w+)\(self(?:, )?(.*?)\)", re.MULTILINE)
FUNCTION = re.compile(r"^cdef [\w ]+? (\w+)\(", re.MULTILINE)


def python_type(c_type: str) -> str:
    """Return the Python type of a C type: `int` for numbers, the same name for classes."""
    name = c_type.rpartition(" ")[2]
    return "None" if name == "void" else name if name[0].isupper() else "int"


def stub() -> str:
    declared = (ENGINE / "core.pxd").read_text()
    tree = ast.parse((ENGINE / "core.py").read_text())
    c_only = set(FUNCTION.findall(declared))
    parts = [HEAD, "".join(f"{name}: Final = {value}\n" for name, value in CONSTANT.findall(declared))]
    parts += [function_line(node) for node in public_functions(tree.body) if node.name not in c_only]
    sources = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    parts += [class_text(name, body, sources[name]) for name, body in CLASS.findall(declared)]
    return "\n".join(filter(None, parts))


def class_text(name: str, declared: str, source: ast.ClassDef) -> str:
    lines = [f"class {name}:\n"]
    for c_type, array, names in ATTRIBUTES.findall(declared):
        kind = f"list[{python_type(c_type)}]" if array else python_type(c_type)
        lines += [f"    {attribute}: {kind}\n" for attribute in names.split(", ")]
    methods = {method: (how, returned, taken) for how, returned, method, taken in METHOD.findall(declared)}
    for node in public_functions(source.body):
        if node.name not in methods:
            lines.append("    " + function_line(node))
        elif methods[node.name][0] == "cp":
            lines.append("    " + method_line(node.name, *methods[node.name][1:]))
    return "".join(lines)


def public_functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if node.name == "__init__" or not node.name.startswith("_")]


def method_line(name: str, returned: str, taken: str) -> str:
    """Return the line of a C method, from its declaration."""
    pairs = (argument.rpartition(" ") for argument in taken.split(", ") if argument)
    arguments = "".join(f", {argument}: {python_type(c_type)}" for c_type, _, argument in pairs)
    return f"def {name}(self{arguments}) -> {python_type(returned)}: ...\n"


def function_line(node: ast.FunctionDef) -> str:
    """Return the line of a Python function, from its definition; missing annotations become Any."""
    for argument in node.args.args:
        if argument.arg != "self" and argument.annotation is None:
            argument.annotation = ast.Name("Any")
    returned = "None" if node.name == "__init__" else ast.unparse(node.returns) if node.returns else "Any"
    return f"def {node.name}({ast.unparse(node.args)}) -> {returned}: ...\n"


def files() -> dict[Path, str]:
    """Return the file's text."""
    return {ENGINE / "core.pyi": stub()}
