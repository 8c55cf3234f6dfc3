"""Learned bots: a network gets from a view what it got in training, and wrong files are refused."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import resource
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rum500
from rum500 import Rng, bots, ruleset
from rum500.cli import main
from rum500.external_bots import (
    BotSpecError,
    LearnedBot,
    NetworkError,
    files_of,
    is_level,
    open_bot,
    save_network,
    split_names,
)
from rum500.lab import Batch
from rum500.rules.digest import deal_digest, digest
from rum500.sim.arena.entrants import files_of_entrant
from tests.support.depth import depth

RULES = ruleset("500-rum")


def layers(inputs: int, outputs: int, seed: int = 1, hidden: int = 8) -> list[tuple[Any, Any]]:
    """A network of two layers with random numbers."""
    chance = np.random.default_rng(seed)
    sizes = [(inputs, hidden), (hidden, outputs)]
    return [(chance.normal(size=size), chance.normal(size=size[1])) for size in sizes]


def written(path: Path, profile: str = "500-rum", players: int = 2, **given: Any) -> Path:
    rules = ruleset(profile)
    batch = Batch(rules, players, 1)
    save_network(path, rules, players, layers(batch.features.size, batch.actions.n), **given)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "net.npz")


# --- its choices -----------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(("profile", "players"), [("500-rum", 2), ("rummy-500", 3), ("persian-rummy", 4)])
def test_it_sees_a_view_as_the_batch_showed_it(tmp_path: Path, profile: str, players: int) -> None:
    """The rating of every decision from its view equals that from the batch's row, bit by bit."""
    bot = LearnedBot(written(tmp_path / "net.npz", profile, players))
    (first, first_bias), (last, last_bias) = bot._layers
    batch, decisions = Batch(ruleset(profile), players, 4, 5), 0
    for _ in range(60):
        for row in range(batch.n):
            state = batch.state(row)
            view = state.view(state.actor)
            shown = np.maximum(batch.now.obs[row] @ first + first_bias, 0) @ last + last_bias
            mask = batch.now.mask[row].astype(bool)
            rated = bot.rate(view)
            assert rated.tobytes() == np.where(mask, shown, -np.inf).tobytes()
            number = int(rated.argmax())
            code = bot.choose_int(view, Rng(1))
            assert code == (view.legal[0] if len(view.legal) == 1 else batch.actions.decode(view, number))
            assert code == bot.choose_int(view, Rng(2)) and code in view.legal
            decisions += len(view.legal) > 1
        batch.step(batch.sample())
    assert decisions > 100


def test_a_copy_plays_the_same(file: Path) -> None:
    bot = LearnedBot(file)
    state = rum500.deal(RULES, players=2, seed=3)
    state.apply_int(state.legal_ints()[0])
    view = state.view(state.actor)
    assert len(view.legal) > 1
    chosen = bot.choose_int(view, Rng(1))
    twin = pickle.loads(pickle.dumps(bot))
    assert (twin.name, twin.header, twin.choose_int(view, Rng(1))) == (bot.name, bot.header, chosen)


def test_the_match_does_not_matter_and_the_deal_does(file: Path) -> None:
    """Another target, or deals instead of a target where no plane depends on it; another house rule."""
    assert deal_digest(RULES) == deal_digest(ruleset("500-rum", target=200))
    assert digest(RULES) != digest(ruleset("500-rum", target=200))
    assert deal_digest(RULES) != deal_digest(ruleset("500-rum", house_rules=("H2",)))
    bot = LearnedBot(file)

    def choose(rules: rum500.Ruleset, players: int) -> int:
        state = rum500.deal(rules, players, seed=3)
        state.apply_int(state.legal_ints()[0])
        return bot.choose_int(state.view(state.actor), Rng(1))

    assert choose(RULES, 2) == choose(ruleset("500-rum", target=200), 2)
    for rules, players in (
        (RULES, 3),
        (ruleset("500-rum", house_rules=("H2",)), 2),
        (ruleset("500-rum", match="deals"), 2),
        (ruleset("michigan-rum"), 2),
    ):
        with pytest.raises(NetworkError, match=r"net\.npz was trained for 500-rum with 2 players, this is "):
            choose(rules, players)


# --- its name --------------------------------------------------------------------------------------


def test_it_is_named_like_any_other_bot(file: Path) -> None:
    name = f"learned:{file}"
    assert isinstance(open_bot(name), LearnedBot) and open_bot(f" LEARNED:{file} ").name == "learned net"
    assert files_of(name) == files_of_entrant(name) == [file]
    assert not is_level(name)
    assert split_names(f"{name},club") == [name, "club"]
    assert split_names("learned:my net.npz") == ["learned:my net.npz"]


@pytest.mark.compiled
def test_commands_seat_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"learned:{file}"
    assert main(["simulate", "--deals", "2", "--bots", f"{name},club", "--workers", "1"]) == 0
    assert (
        main(["arena", "--bots", f"{name},random", "--pairs", "2", "--unit", "deal", "--workers", "1"]) == 0
    )
    assert name in capsys.readouterr().out
    assert main(["simulate", "--deals", "1", "--bots", name, "--profile", "michigan-rum", "--workers", "1"])
    shown = capsys.readouterr().err
    assert (
        shown.count("\n") == 1 and "trained for 500-rum with 2 players, this is michigan-rum with 2" in shown
    )


# --- its file --------------------------------------------------------------------------------------


def test_file_describes_its_network(tmp_path: Path) -> None:
    """Without pickle, with version, spaces, rules and players; small; the same bytes each time."""
    path = written(tmp_path / "a.npz", trained="an evening")
    with np.load(path, allow_pickle=False) as archive:
        header = json.loads(str(archive["header"]))
        assert {name: archive[name].dtype for name in archive.files if name != "header"} == dict.fromkeys(
            ("w0", "b0", "w1", "b1"), np.float16
        )
    assert header == {
        "format": "rum500 network",
        "version": 1,
        "profile": "500-rum",
        "rules": deal_digest(RULES),
        "players": 2,
        "actions": "v1",
        "features": "v1",
        "trained": "an evening",
    }
    assert written(tmp_path / "b", trained="an evening").read_bytes() == path.read_bytes()


def damaged(path: Path, **changed: Any) -> Path:
    """The file with another header, or other arrays."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = json.loads(str(arrays.pop("header")))
    for name, value in changed.items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
        else:
            header[name] = value
    np.savez(path, header=np.array(json.dumps(header)), **arrays)
    return path


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"version": 2}, "written in version 2 for actions v1 and features v1; this rum500 plays version 1"),
        ({"actions": "v2"}, "for actions v2 and features v1"),
        ({"features": "v9"}, "for actions v1 and features v9"),
        ({"format": "rum500 weights"}, "no network of rum500, but 'rum500 weights'"),
        ({"players": "two"}, "no network of rum500"),
        ({"colour": "red"}, "no network of rum500"),
        ({"w1": np.zeros((9, 483), np.float16)}, "layer 1 does not fit"),
        ({"b0": np.zeros(3, np.float16)}, "layer 0 does not fit"),
        ({"b0": np.full(8, np.nan, np.float16)}, "not finite"),
        ({"b0": np.zeros(8, np.int64)}, "other numbers than floats"),
        ({"w7": np.zeros((8, 8), np.float16)}, "layers are w0, b0"),
    ],
    ids=str,
)
def test_wrong_network_is_refused_in_one_line(file: Path, changed: dict[str, Any], why: str) -> None:
    damaged(file, **changed)
    with pytest.raises(BotSpecError, match=re.escape(why)) as shown:
        open_bot(f"learned:{file}")
    assert "\n" not in str(shown.value) and str(file) in str(shown.value)


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04 cut off", b"not a network at all"])
def test_foreign_file_is_refused_in_one_line(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(text)
    for wrong in (path, tmp_path / "missing.npz", tmp_path):
        with pytest.raises(BotSpecError) as shown:
            open_bot(f"learned:{wrong}")
        assert "\n" not in str(shown.value) and str(wrong) in str(shown.value)


def npy(kind: str, shape: str, data: bytes = b"", head: str = "") -> bytes:
    """The bytes of an array with a header that promises anything."""
    text = head or f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def packed(path: Path, entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.npy", data)
    return path


TEXT = {"header": npy("'<U2'", "()", "{}".encode("utf-32-le"))}
CRAFTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "36 TiB": (
        lambda at: packed(at, {"w0": npy("'<f4'", "(10000000000, 1000)")}),
        "its shape needs 40,000,0",
    ),
    "a huge size": (lambda at: packed(at, {"w0": npy("'<f2'", f"({'9' * 900},)")}), "is no array"),
    "a negative size": (lambda at: packed(at, {"w0": npy("'<f2'", "(-4, 2)", bytes(16))}), "is no array"),
    "no numbers": (lambda at: packed(at, {"w0": npy("'<f2'", "(0, 7)")}), "its shape needs 0"),
    "objects": (lambda at: packed(at, {"w0": npy("'|O'", "(1,)", pickle.dumps([1]))}), "is no array"),
    "records": (lambda at: packed(at, {"w0": npy("[('a', '<f2')]", "(1,)", bytes(2))}), "is no array"),
    "whole numbers": (lambda at: packed(at, {"w0": npy("'<i8'", "(1,)", bytes(8))}), "than floats"),
    "code": (lambda at: packed(at, {"w0": npy("__import__('os')", "(1,)")}), "is no array"),
    "a deep header": (lambda at: packed(at, {"w0": npy("", "", head="(" * 60_000)}), "is no array"),
    "an old header": (lambda at: packed(at, {"w0": npy("'<f2'", "(2L,)", bytes(4))}), "is no array"),
    "too few numbers": (lambda at: packed(at, {"w0": npy("'<f2'", "(9,)", bytes(4))}), "has 4 bytes"),
    "a long header": (
        lambda at: packed(at, {"header": npy("'<U90000'", "()", bytes(360_000))}),
        "no text named header",
    ),
    "no letters": (lambda at: packed(at, {"header": npy("'<U1'", "()", b"\xff" * 4)}), "no network"),
    "a header in arrays": (
        lambda at: packed(at, {"header": npy("'<U1'", "(2,)", bytes(8))}),
        "no text named",
    ),
    "other fields": (lambda at: packed(at, TEXT), "missing required field"),
    "a bomb": (
        lambda at: packed(at, {f"w{n}": bytes(90 << 20) for n in range(3)}),
        "its arrays have 283,115,520",
    ),
    "lzma": (lambda at: packed(at, TEXT, zipfile.ZIP_LZMA), "unknown method"),
    "many entries": (lambda at: packed(at, {f"w{n}": b"" for n in range(2_000)}), "its directory has"),
    "a device": (lambda at: at.symlink_to("/dev/zero"), "a network is a file of at most"),
    "a pipe": (os.mkfifo, "a network is a file of at most"),
    "a large file": (lambda at: at.touch() or os.truncate(at, 1 << 40), "a network is a file of at most"),
}


@pytest.mark.parametrize("kind", CRAFTED)
def test_crafted_network_is_refused_in_one_line(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, (craft, why) = tmp_path / "net.npz", CRAFTED[kind]
    craft(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert main(["simulate", "--deals", "1", "--workers", "1", "--bots", f"learned:{path}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"rum500 simulate: learned:{path}: ") and said.count("\n") == 1 and why in said
    assert len(said) < 400 + len(str(path))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000  # in KiB on Linux


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(depth(8, 200)))
def test_mutated_network_plays_or_is_refused(seed: int, file: Path) -> None:
    """Bytes changed, cut off or repeated anywhere; no other error, and no memory for what is not there."""
    chance, whole, state = random.Random(seed), file.read_bytes(), rum500.deal(RULES, players=2, seed=seed)
    with np.load(file) as archive:
        np.savez(file, **{name: archive[name] for name in archive.files})
    for text in (whole, file.read_bytes()):
        for _ in range(25):
            data, at = bytearray(text), chance.choice((chance.randrange(400), -chance.randrange(1, 500), 0))
            for _ in range(chance.randrange(1, 6)):
                data[at or chance.randrange(len(data))] = chance.choice(
                    (0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256))
                )
            match chance.randrange(6):
                case 0:
                    del data[chance.randrange(len(data)) :]
                case 1:
                    data[at:at] = data[chance.randrange(len(data)) :][: chance.randrange(200)]
            file.write_bytes(data)
            said, code = str(file), state.legal_ints()[0]
            try:
                code = LearnedBot(file).choose_int(state.view(state.actor), Rng(1))
            except NetworkError as error:
                said = str(error)
            assert "\n" not in said and str(file) in said and code in state.legal_ints()


def test_overflowing_network_plays_a_legal_action(tmp_path: Path) -> None:
    shape, state = layers(506, 483), rum500.deal(RULES, players=2, seed=1)
    (first, bias), (last, last_bias) = shape
    huge = [(np.full_like(first, 6e4), bias), (np.full((8, 8), 6e4), np.zeros(8))]
    huge += [(np.full((8, 8), 6e4), np.zeros(8))] * 8 + [(np.full_like(last, -6e4), last_bias)]
    save_network(tmp_path / "net.npz", RULES, 2, huge)
    bot = LearnedBot(tmp_path / "net.npz")
    assert all(bot.choose_int(state.view(seat), Rng(1)) in state.view(seat).legal for seat in (state.actor,))
    state.apply_int(state.legal_ints()[0])
    assert bot.choose_int(state.view(state.actor), Rng(1)) in state.legal_ints()


def test_what_cannot_play_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    with pytest.raises(NetworkError, match="leads from 505 to 483 numbers; the spaces of 500-rum with 2"):
        save_network(path, RULES, 2, layers(505, 483))
    with pytest.raises(NetworkError, match="not finite"):
        save_network(path, RULES, 2, [(np.full((506, 483), 1e9), np.zeros(483))])
    assert not path.exists()


def test_a_server_can_offer_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a level with a name of its own, as modules in `bot_modules` register bots."""
    monkeypatch.setattr(bots.registry, "_MAKERS", bots.registry._MAKERS.copy())
    bots.register("learned-500", lambda: LearnedBot(file, "learned-500"))
    assert bots.get("learned-500").name == "learned-500"
