"""The command of `make chaos`."""

from __future__ import annotations

import argparse
import os
import sys

from tools import chaos
from tools.chaos.launch import SPOILED
from tools.chaos.run import Wanted
from tools.chaos.run import chaos as run


def main() -> int:
    parser = argparse.ArgumentParser(description=(chaos.__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--seed", type=int, default=500, help="of the plan of faults, and of what people play"
    )
    parser.add_argument(
        "--faults", type=int, default=0, help="how many; by default as many as fit in --seconds"
    )
    parser.add_argument("--seconds", type=float, default=80.0)
    parser.add_argument("--no-attacks", action="store_true", help="let nobody attack beside the people")
    parser.add_argument("--clients", type=int, default=200, help="people who play")
    parser.add_argument("--tables", type=int, default=0, help="by default one for three people")
    parser.add_argument("--think", type=float, default=0.8, help="seconds that people think, on average")
    parser.add_argument(
        "--spoil", choices=sorted(SPOILED), default="", help="spoil the servers: must be found"
    )
    parser.add_argument("--quiet", action="store_true", help="do not print each fault")
    given = parser.parse_args()
    os.environ.setdefault("PYTHONMALLOC", "pymalloc")  # or servers would start twice, for large pages
    wanted = Wanted(
        given.seed,
        given.faults,
        given.seconds,
        given.clients,
        given.tables,
        given.think,
        spoiled=given.spoil,
    )
    if given.no_attacks or given.spoil:
        wanted.attacks = ()
    if given.quiet:
        wanted.say = lambda _: None
    print(f"seed {wanted.seed}")
    report = run(wanted)
    print(report)
    for finding in report.findings[:20]:
        print(f"FOUND: {finding}", file=sys.stderr)
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
