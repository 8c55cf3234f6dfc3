"""Score sheets that others watch: who can write, how long a sheet is kept, and how many are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rum500.server.http import pads
from rum500.store import Store
from tests.support.serving import Guest, Running
from tests.support.storing import with_store

SHEET, LATER = "q1YqKk9VslJQ", "q1YqKk9VslJQ-later_"


def write(guest: Guest, path: str, **body: str) -> dict[str, str]:
    answer = guest.http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_only_the_token_changes_a_sheet_that_everybody_with_its_id_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Running(tmp_path) as server, server.guest("Ada") as ada, server.guest("Ben") as ben:
        writer = write(ada, "/api/pads", sheet=SHEET)

        def seen() -> str | None:
            answer = ben.http.get(f"/api/pads/{writer['id']}")
            assert answer.status_code == 200
            assert writer["token"] not in answer.text
            return str(answer.json()["sheet"]) if answer.json()["sheet"] else None

        assert seen() == SHEET
        forged = write(ben, "/api/pads", sheet=LATER, token=writer["id"])
        assert forged["id"] != writer["id"]
        assert seen() == SHEET
        assert write(ada, "/api/pads", sheet=LATER, token=writer["token"]) == writer
        assert seen() == LATER
        with monkeypatch.context() as patched:
            patched.setattr(pads, "KEPT_MS", -1)
            assert seen() is None
        write(ben, "/api/pads/end", token=forged["token"])
        assert seen() == LATER
        write(ada, "/api/pads/end", token=writer["token"])
        assert seen() is None


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/pads", {"sheet": "A" * 6_001}, 422),
        ("/api/pads", {"sheet": "A" * 9_000}, 413),
        ("/api/pads", {"sheet": ""}, 422),
        ("/api/pads", {"sheet": "<b>"}, 422),
        ("/api/pads", {"sheet": SHEET, "token": "short"}, 422),
        ("/api/pads/end", {"token": "../" * 8}, 422),
        ("/api/pads/end", {}, 422),
    ],
)
def test_what_is_no_sheet_or_no_token_is_refused(
    path: str, body: dict[str, str], status: int, tmp_path: Path
) -> None:
    with Running(tmp_path) as server, server.guest("Ada") as ada:
        assert ada.http.post(path, json=body).status_code == status
        assert ada.http.get("/api/pads/none").status_code == 422


def test_changes_of_an_address_are_limited(tmp_path: Path) -> None:
    with Running(tmp_path, limits=True, pads="2 per 1 minute") as server, server.guest("Ada") as ada:
        codes = [ada.http.post("/api/pads", json={"sheet": SHEET}).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_old_sheets_and_those_beyond_the_most_are_removed(place: Path | str) -> None:
    async def work(store: Store) -> None:
        for at in (3, 1, 2):
            await store.pads.save(f"p{at}", f"sheet {at}", at, before=0, most=2)
        assert await store.pads.sheet("p1", 0) is None
        assert await store.pads.sheet("p3", 0) == "sheet 3"
        assert await store.pads.sheet("p3", 4) is None
        await store.pads.save("p2", "again", 9, before=4, most=2)
        assert await store.pads.sheet("p3", 0) is None
        assert await store.pads.sheet("p2", 9) == "again"
        await store.pads.remove("p2")
        await store.pads.remove("p2")
        assert await store.pads.sheet("p2", 0) is None

    with_store(place, work)
