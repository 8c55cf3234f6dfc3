"""Read everything in tests/data/before_options: what rum500 wrote before options could be added.

    python -m tests.support.kept FOLDER

prints one line of JSON: the package that read it, and what was found in each file. FOLDER is for a copy of
the database, since opening it takes it over.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import rum500
from rum500.record import Record, digest
from rum500.state import State
from tests.support.live import Room

DATA = Path(__file__).resolve().parent.parent / "data" / "before_options"


def bare(text: str) -> str:
    """Return a text without the comments of options, whose wording may change, and without its checksum."""
    return re.sub(r"(?m)^(\| \w+ = .*?)  # .*$|^checksum: .*$", r"\1", text)


def read(folder: Path) -> dict[str, Any]:
    """Return what is in the kept files: digests and problems of records, rules of positions, tables."""
    found: dict[str, Any] = {"package": str(Path(rum500.__file__).parent)}
    for path in sorted(DATA.glob("*.rum500")):
        record = Record.from_text(path.read_text(encoding="utf-8"))
        same = bare(record.to_text()) == bare(path.read_text(encoding="utf-8"))
        found[path.name] = [digest(record.rules), [str(problem) for problem in record.verify()], same]
    for path in sorted(DATA.glob("*.position")):
        text = path.read_text(encoding="utf-8")
        state = State.from_text(text)
        found[path.name] = [digest(state.rules), bare(state.to_text()) == bare(text)]
    found["tables.sqlite"] = asyncio.run(_tables(folder))
    return found


async def _tables(folder: Path) -> list[list[Any]]:
    """Every table of the database, loaded as the server does: profile, house rules, digest, log length."""
    shutil.copy(DATA / "tables.sqlite", folder / "data")
    room = Room(folder / "data", seed=2)
    await room.open()
    try:
        tables = []
        for id_ in TABLES:
            table = await room.tables.get(id_)
            if table is None:
                raise LookupError(f"table {id_} is not in the database")
            rules = table.log.state.rules
            tables.append([rules.name, list(rules.house_rules), digest(rules), table.log.state.number])
        return tables
    finally:
        await room.close()


TABLES = (
    "MX4RuD4ZvGw4u4GYu7o-uQ",
    "gmQReVZlQKj7InZB0EzdQQ",
    "R8GFft4Eab3iVlzzeQlZFA",
    "ZQjMsbWWRojER3ILxvZc7Q",
)

if __name__ == "__main__":
    print(json.dumps(read(Path(sys.argv[1]))))
