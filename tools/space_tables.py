"""Rewrite the generated tables of docs/lab.md from `rum500.spaces`, or (--check) report stale ones.

Only text between `<!-- generated: NAME -->` and `<!-- end -->` is replaced.
"""

from __future__ import annotations

import re
import sys

from rum500.rules.profiles import profiles, ruleset
from rum500.spaces import Actions, Features, HiddenState, planes
from tools.generated import ROOT, write_or_check

PAGE = ROOT / "docs" / "lab.md"
_BLOCK = re.compile(r"(<!-- generated: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_ALL = ruleset("rummy-500", house_rules=("H4", "H5", "H6"), stock_out="pass", match="deals")
"""A game that has every plane, with two packs from five players on."""
_BLOCKS = (
    (re.compile("draw|pass|end|let go"), "draw, pass, end the deal, let a call go"),
    (re.compile("discard"), "discard a card, in the order of a plane of cards"),
    (re.compile("run"), "a run: by suit, then by length from three to thirteen, then by its lowest card"),
    (re.compile(r"set \S+\w \S+\w"), "a set: by rank; without ♠, ♥, ♦, ♣, then all four"),
    (re.compile("set JK"), "three jokers of their own rank, four"),
    (re.compile("take"), "a take from the pile: one card, two …, one less than the deck"),
    (re.compile("call"), "a call, likewise, with H6 only"),
)


def _actions() -> str:
    names = Actions(ruleset("500-rum", house_rules=("H6",)), 2).names
    rows, at = [], 0
    for pattern, meaning in _BLOCKS:
        last = max(number for number, name in enumerate(names) if pattern.match(name))
        if pattern.pattern.startswith(r"set \S"):
            last = max(
                number for number, name in enumerate(names) if name.startswith("set") and "JK" not in name
            )
        rows.append(f"| {at}–{last} | {last - at + 1} | {meaning} | `{names[at]}`, `{names[last]}` |\n")
        at = last + 1
    head = "| numbers | how many | play | first and last name |\n|---|---|---|---|\n"
    return head + "".join(rows) + "\nThe numbers of takes and calls are those of one pack without jokers.\n"


def _planes(layout: planes.Layout) -> str:
    rows = []
    for plane in layout.planes:
        if re.search(r"\+[2-9]$", plane.name):
            continue
        seats = {cell.partition(" ")[0] for cell in plane.cells} == {"own", *(f"+{i}" for i in range(1, 5))}
        size = f"{plane.size // 5} × players" if seats else str(plane.size)
        name, meaning = plane.name, plane.meaning
        if name.endswith("+1"):
            name, meaning = f"{name}, +2 …", meaning.replace("of the next seat", "of that seat, a plane each")
        rows.append(f"| {name} | {size} | {meaning} | {plane.when} |\n")
    return "| plane | cells | what a cell holds | games |\n|---|---|---|---|\n" + "".join(rows)


def _features() -> str:
    return _planes(planes.features(_ALL, 5))


def _hidden() -> str:
    return _planes(planes.hidden_state(_ALL, 5))


def _sizes() -> str:
    rows = []
    for name, rules in profiles().items():
        for players in sorted({rules.players[0], rules.players[-1]}):
            actions = Actions(rules, players)
            sizes = Features(rules, players).size, HiddenState(rules, players).size
            rows.append(
                f"| `{name}` | {players} | {actions.n} | {actions.variants} | {sizes[0]} | {sizes[1]} |\n"
            )
    head = "| profile | players | actions | variants | features | hidden state |\n|---|---|---|---|---|---|\n"
    return head + "".join(rows)


_PARTS = {"actions": _actions, "features": _features, "hidden": _hidden, "sizes": _sizes}


def main() -> int:
    """Rewrite the page, or check it: 1 if it is stale."""
    page = PAGE.read_text("utf-8")
    return write_or_check(
        __doc__, {PAGE: _BLOCK.sub(lambda block: block[1] + _PARTS[block[2]]() + block[3], page)}
    )


if __name__ == "__main__":
    sys.exit(main())
