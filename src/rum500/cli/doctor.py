"""`rum500 doctor`: check that this machine can store moves safely, hold many players, and be reached."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rum500.cli._data_checks import CheckResult, check_data, check_database, check_files
from rum500.cli._database_checks import check_server
from rum500.cli._disk_checks import check_disk, check_room
from rum500.cli._proxy_checks import check_proxy
from rum500.cli._server_options import ConfigFile, DatabaseUrl, DataFolder, configured

_COLOURS = {"ok": "green", "note": "yellow", "bad": "bold red"}


def command(
    *,
    data: DataFolder = None,
    db: DatabaseUrl = None,
    config: ConfigFile = None,
    url: Annotated[
        str | None,
        Parameter(help="The address that visitors use, to check the proxy in front of the server."),
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", help="The findings as JSON.")] = False,
) -> None:
    """Check disk, limits, database and proxy of this machine; the server may be running.

    The exit code is 1 if anything is bad. Notes are warnings only.
    """
    place = configured(data, db, config)
    findings = [
        *check_data(place),
        *(check_server(place.database) if place.database.file is None else check_disk(place.disk)),
        *check_room(place.disk),
        *check_files(place.connections),
        *check_database(place.database, place.secret),
        *(check_proxy(url) if url is not None else ()),
    ]
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _print(findings)
    if any(finding.grade == "bad" for finding in findings):
        raise SystemExit(1)


def _print(findings: list[CheckResult]) -> None:
    if sys.stdout.isatty():
        table = Table.grid(padding=(0, 2))
        for finding in findings:
            grade = Text(finding.grade, style=_COLOURS[finding.grade])
            table.add_row(grade, finding.check, Text(finding.text))
        Console(highlight=False).print(table)
    else:  # one line each, for logs and grep
        for finding in findings:
            print(f"{finding.grade:<4}  {finding.check:<9}  {finding.text}")
    count = Counter[str](finding.grade for finding in findings)
    print(", ".join(f"{count[grade]} {grade}" for grade in _COLOURS if count[grade]))
