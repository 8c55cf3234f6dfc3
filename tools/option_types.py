"""Write rules/option_types.py, the types of rule options for type checkers, from `RulesetOptions`.

A misspelt option in `ruleset("500-rum", restok=True)` is then an error in mypy.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tools.generate import ROOT

RULES = ROOT / "src" / "rum500" / "rules"
TARGET = RULES / "option_types.py"
HEAD = '''"""The options of a rule set as keyword arguments. Written by tools/option_types.py; do not edit."""

from typing import Literal, TypedDict


class OptionTypes(TypedDict, total=False):
    """Options and their types, for functions that take some of them; lists are converted to tuples."""

'''


def text() -> str:
    """Return the module: each field of `RulesetOptions` with its annotation."""
    tree = ast.parse((RULES / "options.py").read_text(encoding="utf-8"))
    options = next(
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "RulesetOptions"
    )
    fields = [node for node in options.body if isinstance(node, ast.AnnAssign)]
    return HEAD + "".join(
        f"    {ast.unparse(field.target)}: {taken(ast.unparse(field.annotation))}\n" for field in fields
    )


def taken(annotation: str) -> str:
    """Return the type of an argument for a field of this type, in this project's quotes."""
    item = annotation.removeprefix("tuple[").removesuffix(", ...]")
    shown = annotation if item == annotation else f"{annotation} | list[{item}]"
    return shown.replace("'", '"')


def files() -> dict[Path, str]:
    """Return the file's text."""
    return {TARGET: text()}
