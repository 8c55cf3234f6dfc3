"""The QR code of a table's address, for inviting people who sit nearby."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

import segno

from rum500.server.config import Config
from rum500.server.http.endpoint import ApiRequest, answers
from rum500.server.http.replays import TABLE, table_row
from rum500.server.work_scheduler import Light
from rum500.store import TableStore


@lru_cache(256)
def qr_code(text: str) -> bytes:
    """Return the QR code of a text as an SVG picture, dark on white."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", border=4, light="#fff")
    return out.getvalue()


@dataclass(slots=True, eq=False)
class QrCodes:
    """Answers requests for QR codes."""

    _config: Config
    _store: TableStore

    @answers(
        "GET",
        "/api/tables/{table}/qr.svg",
        work=Light.ROWS,
        media="image/svg+xml",
        params=(TABLE,),
        refuses=(404,),
    )
    async def qr(self, asker: ApiRequest) -> bytes:
        """Return a QR code with the table's address."""
        row = await table_row(self._store, asker)
        base = self._config.public_url[0] if self._config.public_url else asker.site
        return qr_code(f"{base}/t/{row.id}")
