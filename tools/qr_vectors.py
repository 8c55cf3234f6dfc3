"""Write QR codes that segno made, to test those of the page with.

The texts fill their versions: before the padding of others segno puts a byte more than the standard does.
"""

from __future__ import annotations

from pathlib import Path

import segno

from tools.generate import ROOT
from tools.scoring_rules import lines

VECTORS = ROOT / "tests" / "qr_vectors.json"

FULL = {1: 17, 2: 32, 5: 106, 6: 134, 7: 154, 10: 271, 14: 458, 20: 858, 30: 1732}
"""The bytes that fill a version with the least correction of errors."""


def files() -> dict[Path, str]:
    """Return a code of each of these versions: its text, its mask, and its rows as hexadecimal numbers."""
    found = []
    for version, size in FULL.items():
        text = "".join(chr(33 + (at * at + version) % 90) for at in range(size))
        mask = version % 8
        code = segno.make(text, error="l", mode="byte", mask=mask, boost_error=False, micro=False)
        assert code.version == version
        rows = [f"{int(''.join(map(str, map(int, row))), 2):x}" for row in code.matrix]
        found.append({"text": text, "mask": mask, "rows": rows})
    return {VECTORS: lines(iter(found))}
