"""A guest on a second device: codes, recovery words, merged guests, all data as a file, and deletion."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rum500.server.devices import CODE_MS, WORDS
from rum500.server.word_list import word_list
from rum500.store import MistakeRow, Store
from tests.support.serving import Guest, Running
from tests.support.storing import changed
from tests.test_sign_out import signed_out, with_cookie

BROWSER = {"browser": "firefox", "phone": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("devices")) as running:
        yield running


def store_of(server: Running) -> Store:
    assert server.application._store is not None
    return server.application._store


def got(guest: Guest, method: str, path: str, body: object = None) -> Any:
    """The answer to a request, or the code of the refusal."""
    answer = guest.http.request(method, path, json=body)
    return answer.json()["code"] if answer.is_error else answer.json()


def code_of(guest: Guest) -> str:
    made = got(guest, "POST", "/api/me/device", {})
    assert made["link"].endswith(f"/here#{made['code'].replace(' ', '-')}")
    assert made["seconds"] == CODE_MS // 1000
    assert made["qr"].startswith("data:image/svg+xml;base64,")
    return str(made["code"])


def give(guest: Guest, code: str) -> Any:
    return got(guest, "POST", "/api/device", {"code": code} | BROWSER)


def answered(guest: Guest, *, yes: bool, words: str | None = None) -> Any:
    shown = got(guest, "GET", "/api/me/device")["words"] if words is None else words
    return got(guest, "POST", "/api/me/device/answer", {"words": shown or "none", "yes": yes})


def take(guest: Guest, own: str = "leave") -> Any:
    return got(guest, "POST", "/api/device/take", {"own": own})


def later(server: Running, ms: int) -> None:
    """Let all codes be older."""
    changed(server.config.data, f"UPDATE device_codes SET at = at - {ms}")


def paired(ada: Guest, new: Guest, own: str = "leave") -> None:
    asked = give(new, code_of(ada))
    assert asked["state"] == "asked", asked
    assert answered(ada, yes=True)["state"] == "yes"
    assert take(new, own)["id"] == ada.me["id"]


# --- codes ----------------------------------------------------------------------------------------------


def test_a_code_makes_another_device_the_guests_and_works_once(server: Running) -> None:
    with server.guest("Nora") as nora, server.guest() as new, server.guest() as third:
        table = nora.table()
        code = code_of(nora)
        assert got(nora, "GET", "/api/me/device")["state"] == "open"
        question = give(new, code)
        shown = got(nora, "GET", "/api/me/device")
        assert question["state"] == shown["state"] == "asked"
        assert question["words"] == shown["words"]
        assert (shown["browser"], shown["phone"]) == ("firefox", True)
        # Before the yes, the device learns nothing of the guest.
        assert (question["name"], question["own"]) == (None, False)
        assert take(new) == "device.no_yes"
        assert give(third, code) == "device.code"
        assert answered(nora, yes=True)["state"] == "yes"
        assert got(new, "GET", "/api/device")["name"] == "Nora"
        assert take(new) == {"id": nora.me["id"], "name": "Nora"}
        assert got(new, "GET", "/api/me")["name"] == "Nora"
        assert got(nora, "GET", "/api/me")["id"] == nora.me["id"]
        with new.join(table) as talk:
            assert talk.sync["you"]["seat"] == 0
        assert take(new) == "device.no_yes"
        assert got(new, "POST", "/api/me/sign-out", {"devices": "others"})["id"] == nora.me["id"]
        assert signed_out(nora) and not signed_out(new)


@pytest.mark.parametrize("typed", ["  LANTERN—４８２１ ", "lantern4821", "Lantern ۴۸۲۱", "lantern-4821"])
def test_a_code_is_read_however_it_is_typed(
    server: Running, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("rum500.server.devices.random_words", lambda _: ["lantern"])
    monkeypatch.setattr("rum500.server.devices.secrets.randbelow", lambda _: 4821)
    changed(server.config.data, "DELETE FROM device_codes")
    with server.guest() as nora, server.guest() as new:
        assert code_of(nora) == "lantern 4821"
        assert give(new, typed)["state"] == "asked"


def test_no_two_guests_have_the_same_code(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([["maple"], ["maple"], ["ocean"]])
    monkeypatch.setattr("rum500.server.devices.random_words", lambda _: next(drawn))
    monkeypatch.setattr("rum500.server.devices.secrets.randbelow", lambda _: 7)
    with server.guest() as nora, server.guest() as ben:
        assert (code_of(nora), code_of(ben)) == ("maple 0007", "ocean 0007")


@pytest.mark.parametrize("typed", ["", "lantern", "4821", "lantern 48210", "💣" * 200, "abandon 0000 0000"])
def test_a_wrong_code_is_refused(server: Running, typed: str) -> None:
    with server.guest() as new:
        assert give(new, typed) == "device.code"
        assert got(new, "GET", "/api/device")["state"] == "none"


def test_a_code_ends_after_five_minutes(server: Running) -> None:
    with server.guest() as nora, server.guest() as new:
        code = code_of(nora)
        later(server, CODE_MS)
        assert got(nora, "GET", "/api/me/device")["state"] == "expired"
        assert give(new, code) == "device.code"


def test_a_question_ends_after_five_minutes_and_so_does_a_yes_after_ten(server: Running) -> None:
    with server.guest() as nora, server.guest() as new:
        question = give(new, code_of(nora))
        later(server, CODE_MS)
        assert got(new, "GET", "/api/device")["state"] == "expired"
        assert answered(nora, yes=True, words=question["words"]) == "device.no_question"
        give(new, code_of(nora))
        answered(nora, yes=True)
        later(server, CODE_MS)
        assert got(new, "GET", "/api/device")["state"] == "yes"
        later(server, CODE_MS)
        assert take(new) == "device.no_yes"


def test_a_new_code_makes_the_older_one_void(server: Running) -> None:
    with server.guest() as nora, server.guest() as new:
        first, second = code_of(nora), code_of(nora)
        assert give(new, first) == "device.code"
        assert give(new, second)["state"] == "asked"


def test_a_device_cannot_let_itself_in(server: Running) -> None:
    with server.guest() as nora, server.guest() as new:
        code = code_of(nora)
        assert give(nora, code) == "device.code"
        question = give(new, code)
        assert answered(new, yes=True, words=question["words"]) == "device.no_question"
        assert take(new) == "device.no_yes"
        assert got(nora, "GET", "/api/me/device")["state"] == "asked"


def test_a_no_ends_the_question(server: Running) -> None:
    with server.guest() as nora, server.guest() as new:
        give(new, code_of(nora))
        assert answered(nora, yes=False)["state"] == "no"
        assert got(new, "GET", "/api/device")["state"] == "no"
        assert answered(nora, yes=True) == "device.no_question"
        assert take(new) == "device.no_yes"


def test_of_two_devices_of_the_guest_the_first_answer_counts(server: Running) -> None:
    with server.guest() as nora, with_cookie(server, nora.cookie) as second, server.guest() as new:
        give(new, code_of(nora))
        assert answered(second, yes=False)["state"] == "no"
        assert answered(nora, yes=True) == "device.no_question"
        assert got(new, "GET", "/api/device")["state"] == "no"


def test_the_answer_names_the_words_that_the_person_compared(server: Running) -> None:
    """A page that still shows an older question cannot let the asker of a newer one in."""
    with server.guest() as nora, server.guest() as new, server.guest() as other:
        old = give(new, code_of(nora))["words"]
        assert give(other, code_of(nora))["words"] != old
        assert answered(nora, yes=True, words=old) == "device.no_question"


def test_words_are_told_apart_by_their_first_four_letters() -> None:
    assert len({word[:4] for word in word_list()}) == len(word_list()) == 2_048


def test_the_store_has_neither_codes_nor_words(server: Running) -> None:
    with server.guest() as nora:
        code, words = code_of(nora), got(nora, "POST", "/api/me/words", {})["words"]
        content = b"".join(file.read_bytes() for file in server.config.data.iterdir() if file.is_file())
        assert nora.me["id"].encode() in content
        assert code.encode() not in content
        assert " ".join(words).encode() not in content


def test_tries_are_limited_by_address(tmp_path: Path) -> None:
    with Running(tmp_path, limits=True) as server, server.guest() as new:
        for _ in range(5):
            assert give(new, "abandon 0000") == "device.code"
            assert got(new, "POST", "/api/device/words", {"words": "abandon " * 6}) == "device.words"
        assert give(new, "abandon 0000") == "limit.device_tries"
        assert got(new, "POST", "/api/device/words", {"words": "a"}) == "limit.device_tries"


# --- recovery words -------------------------------------------------------------------------------------


def test_recovery_words_make_a_device_the_guests(server: Running) -> None:
    with server.guest("Nora") as nora, server.guest() as new:
        assert got(nora, "GET", "/api/me/words")["made"] is None
        words = got(nora, "POST", "/api/me/words", {})["words"]
        assert len(words) == WORDS
        assert got(nora, "GET", "/api/me/words")["made"] > 0
        typed = "  ".join(word.upper() for word in words) + "\u3000"
        wide = "".join(chr(ord(char) + 0xFEE0) if "A" <= char <= "Z" else char for char in typed)
        asked = got(new, "POST", "/api/device/words", {"words": wide})
        assert (asked["state"], asked["name"]) == ("yes", "Nora")
        assert take(new)["id"] == nora.me["id"]


def test_wrong_words_are_all_refused_alike(server: Running) -> None:
    with server.guest() as nora, server.guest() as new:
        old = got(nora, "POST", "/api/me/words", {})["words"]
        words = got(nora, "POST", "/api/me/words", {})["words"]
        for typed in (old, words[:5], [*words, words[0]], words[::-1], ["no", "such", "words"], []):
            if typed != words:
                assert got(new, "POST", "/api/device/words", {"words": " ".join(typed)}) == "device.words"
        # A device that is the guest's already is not asked to become it.
        assert got(nora, "POST", "/api/device/words", {"words": " ".join(words)}) == "device.words"
        assert got(new, "GET", "/api/device")["state"] == "none"


# --- two guests become one ------------------------------------------------------------------------------


def test_everything_of_the_devices_former_guest_is_merged(server: Running) -> None:
    with server.guest("Nora") as nora, server.guest("Fox") as new, with_cookie(server, new.cookie) as tab:
        open_table, playing = new.table(players=3), new.table()
        with new.join(playing) as talk:
            talk.ask("start")
        asked = give(new, code_of(nora))
        assert asked["own"] is False
        answered(nora, yes=True)
        assert got(new, "GET", "/api/device")["own"] is True
        assert take(new, "merge") == {"id": nora.me["id"], "name": "Nora"}
        assert signed_out(tab)
        mine = {one["table"]["id"] for one in got(nora, "GET", "/api/tables/mine")}
        assert {open_table, playing} <= mine
        for table in (open_table, playing):
            with new.join(table) as talk:
                assert talk.sync["you"]["seat"] == 0
        with new.join(open_table) as talk:  # the guest is the host too
            assert talk.ask("start")["type"] != "refused"


def test_seats_follow_after_a_restart(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.guest("Nora") as nora, server.guest("Fox") as new:
        table = new.table()
        paired(nora, new, "merge")
        cookie = new.cookie
    with Running(tmp_path) as server, with_cookie(server, cookie) as back, back.join(table) as talk:
        assert talk.sync["you"]["seat"] == 0


def test_what_is_left_stays_with_the_former_guest(server: Running) -> None:
    with server.guest("Nora") as nora, server.guest("Fox") as new, with_cookie(server, new.cookie) as tab:
        table = new.table()
        paired(nora, new, "leave")
        assert not signed_out(tab)
        with tab.join(table) as talk:
            assert talk.sync["you"]["seat"] == 0
        with nora.join(table) as talk:
            assert talk.sync["you"]["seat"] is None


def test_both_seats_stay_if_two_guests_of_one_table_are_merged(server: Running) -> None:
    with server.guest("Nora") as nora, server.guest("Fox") as new:
        table = nora.table(players=3)
        with new.join(table) as talk:
            talk.ask("sit", seat=1)
        paired(nora, new, "merge")
        with new.join(table) as talk:
            assert talk.sync["you"]["seat"] == 0
            seats = talk.sync["shared"]["seats"]
            assert [seat["name"] for seat in seats[:2]] == ["Nora", "Fox"]


# --- all data, and deletion -----------------------------------------------------------------------------


def test_all_data_of_a_guest_comes_as_a_file(server: Running) -> None:
    with server.guest("Nora") as nora:
        nora.table()
        got(nora, "POST", "/api/me/words", {})
        answer = nora.http.post("/api/me/data.zip", json={"settings": '{"theme": "dark"}'})
        assert answer.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
            found = {name: json.loads(file.read(name)) for name in file.namelist() if name.endswith(".json")}
        assert found["settings.json"] == {"theme": "dark"}
        assert found["guest.json"]["name"] == "Nora"
        assert len(found["people.json"]) == 1
        assert list(found["recovery-words.json"][0]) == ["since", "at"]
        assert nora.me["id"] not in answer.text


def test_no_file_of_all_data_is_there_twice(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rum500.server.practice.mistakes._exported", lambda row: {"whole": row.step})
    with server.guest("Nora") as nora:
        row = MistakeRow(guest_id=nora.me["id"], table_id="t", deal=1, step=1, seen=1, due=1, data=b"")
        server.on_loop(store_of(server).mistakes.add([row]))
        answer = nora.http.post("/api/me/data.zip", json={})
        with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
            assert file.namelist().count("mistakes.json") == 1
            assert json.loads(file.read("mistakes.json")) == [{"whole": 1}]


def test_a_guest_deletes_everything(server: Running) -> None:
    store = store_of(server)
    with server.guest("Nora") as nora, server.guest("Ben") as ben, with_cookie(server, nora.cookie) as tab:
        alone, open_table, shared = nora.table(), nora.table(players=3), nora.table()
        with nora.join(alone) as talk:
            talk.ask("start")
        for table in (open_table, shared):
            with ben.join(table) as talk:
                talk.ask("sit", seat=1)
        with nora.join(shared) as talk:
            talk.ask("start")
        got(nora, "POST", "/api/me/words", {})
        assert got(nora, "POST", "/api/me/delete", {}) == "request.invalid"
        with ben.join(shared) as bystander:
            answer = nora.http.post("/api/me/delete", json={"confirm": "everything"})
            assert answer.is_success and "Max-Age=0" in answer.headers["set-cookie"]
            assert bystander.ask("ping")["type"] == "pong"
        assert signed_out(tab)
        assert server.on_loop(store.table(alone)) is None
        assert server.on_loop(store.entries(alone)) == []
        with ben.join(open_table) as talk:
            assert [seat["kind"] for seat in talk.sync["shared"]["seats"]] == ["empty", "person", "empty"]
            assert talk.ask("start")["type"] != "refused"  # he is the host now
        left = server.on_loop(store.guest_data.export(nora.me["id"]))
        assert {name for name, rows in left.items() if rows} <= {"people"}  # of the match that others play on
        assert got(nora, "GET", "/api/me")["id"] != nora.me["id"]
