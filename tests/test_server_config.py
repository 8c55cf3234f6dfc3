"""The server's configuration: flags, environment, file and help from one list of keys."""

from __future__ import annotations

import re
import socket
import sqlite3
import stat
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from rum500.cli import main
from rum500.server.config import Config, ConfigError, keys, load, settle
from rum500.server.cookies import secret_key
from rum500.server.run import addresses_of, bind
from rum500.store import DATABASE
from tests.support.storing import entry, with_store

KEYS = list(keys())
NAMES = [key.name for key in KEYS]


def refused(
    *, flags: dict[str, object] | None = None, env: dict[str, str] | None = None, file: Path | None = None
) -> str:
    with pytest.raises(ConfigError) as caught:
        load(flags or {}, env or {}, file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_flag_overrides_environment_and_environment_overrides_file(tmp_path: Path) -> None:
    file = tmp_path / "rum500.toml"
    file.write_text('port = 8601\nlog = "json"\nmax_connections = 50\n')
    env = {"RUM500_PORT": "8602", "RUM500_LOG": "text"}
    found = settle({"port": "8603", "host": None}, env, file)
    assert (found.config.port, found.config.log, found.config.max_connections) == (8603, "text", 50)
    assert found.sources == {"port": "--port", "log": "RUM500_LOG", "max_connections": str(file)}
    assert load({}, env | {"RUM500_CONFIG": str(file)}).max_connections == 50


def test_empty_configuration_is_the_defaults() -> None:
    assert load({}, {}) == Config()


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("port", " 0 ", 0),
        ("open", "No", False),
        ("limits", "off", False),
        ("trusted_proxies", "127.0.0.1, 10.0.0.0/8", ("127.0.0.1", "10.0.0.0/8")),
        ("trusted_proxies", "", ()),
        ("origins", "HTTPS://Cards.Example.org/", ("https://cards.example.org",)),
        ("public_url", "http://[::1]:8500", ("http://[::1]:8500",)),
        ("public_url", "HTTPS://Example.org/Cards/", ("https://example.org/Cards",)),
        ("chats", "5/second", "5 per 1 second"),
        ("chats", "off", ""),
        ("metrics", "ALL", "all"),
        ("metrics_token", " a-word-of-16-signs ", "a-word-of-16-signs"),
        ("data", "/srv/rum500", Path("/srv/rum500")),
    ],
)
def test_values_are_read_by_the_kind_of_their_key(name: str, given: str, value: object) -> None:
    assert getattr(load({name: given}, {}), name) == value


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("port", "80x", 'port: "80x" (RUM500_PORT); expected a whole number from 0 to 65535'),
        ("port", "65536", 'port: "65536" (RUM500_PORT); expected a whole number from 0 to 65535'),
        ("host", " ", 'host: " " (RUM500_HOST); expected a name or address of this machine'),
        ("open", "maybe", 'open: "maybe" (RUM500_OPEN); expected true or false'),
        (
            "metrics_token",
            "short",
            (
                "metrics_token: what is given (RUM500_METRICS_TOKEN); "
                "expected at least 16 letters, digits or signs without spaces"
            ),
        ),
        ("log", "xml", 'log: "xml" (RUM500_LOG); expected text or json'),
        (
            "chats",
            "5 per parsec",
            'chats: "5 per parsec" (RUM500_CHATS); expected a rate such as 30 per minute, or off',
        ),
        (
            "trusted_proxies",
            "10.0.0.0/33",
            (
                'trusted_proxies: "10.0.0.0/33" (RUM500_TRUSTED_PROXIES); '
                "expected addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by commas"
            ),
        ),
        (
            "public_url",
            "cards.example.org",
            (
                'public_url: "cards.example.org" (RUM500_PUBLIC_URL); expected '
                "an address such as https://cards.example.org or https://example.org/cards"
            ),
        ),
        (
            "public_url",
            "https://example.org/t",
            (
                'public_url: "https://example.org/t" (RUM500_PUBLIC_URL); expected '
                "an address such as https://cards.example.org or https://example.org/cards"
            ),
        ),
        (
            "origins",
            "https://a.example/path",
            (
                'origins: "https://a.example/path" (RUM500_ORIGINS); '
                "expected an address such as https://cards.example.org, or several separated by commas"
            ),
        ),
    ],
)
def test_invalid_value_is_one_line_with_key_value_source_and_expectation(
    name: str, given: str, said: str
) -> None:
    assert refused(env={f"RUM500_{name.upper()}": given}) == said


def test_invalid_file_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "rum500.toml"
    file.write_text("max_conections = 5\n")
    assert refused(file=file) == f"{file}: there is no key 'max_conections'; did you mean max_connections?"
    file.write_text("zzzz = 5\n")
    assert refused(file=file) == f"{file}: there is no key 'zzzz'; rum500 config lists the keys"
    file.write_text('port = "8500"\nopen = 1\n')
    assert refused(file=file).startswith(f"open: 1 ({file}); expected true or false")
    file.write_text("port = true\n")
    assert refused(file=file) == f"port: true ({file}); expected a whole number from 0 to 65535"
    file.write_text("port = \n")
    assert refused(file=file).startswith(f"{file}: is not TOML: ")
    assert refused(file=tmp_path / "none.toml") == f"{tmp_path / 'none.toml'}: No such file or directory"


# --- the command that documents them ------------------------------------------------------------------


def test_output_of_config_is_a_file_with_the_same_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in KEYS:
        monkeypatch.delenv(key.variable, raising=False)
    assert main(["config", "--port", "8601", "--no-open", "--trusted-proxies", "10.0.0.0/8"]) == 0
    printed = capsys.readouterr().out
    for key in KEYS:
        assert f"{key.flag}, {key.variable}: " in " ".join(printed.replace("\n#   ", " ").split("\n"))
        assert re.search(rf"^#?{key.name} = ", printed, re.MULTILINE)
    assert tomllib.loads(printed) == {"port": 8601, "open": False, "trusted_proxies": ["10.0.0.0/8"]}
    file = tmp_path / "all.toml"
    file.write_text(re.sub(r"^#(?=[a-z_]+ = )", "", printed, flags=re.MULTILINE))
    assert set(tomllib.loads(file.read_text())) == set(NAMES)
    assert load({}, {}, file) == load({"port": 8601, "open": False, "trusted_proxies": "10.0.0.0/8"}, {})
    monkeypatch.setenv("RUM500_METRICS_TOKEN", "nobody-may-read-this")
    assert main(["config"]) == 0
    printed = capsys.readouterr().out
    assert "nobody-may-read-this" not in printed
    assert "# set by RUM500_METRICS_TOKEN" in printed


def test_serve_help_names_every_flag_and_variable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["serve", "--help"]) == 0
    printed = capsys.readouterr().out
    for key in KEYS:
        assert key.flag in printed
        assert key.variable in printed


@pytest.mark.parametrize("command", ["serve", "config"])
def test_invalid_flag_is_refused_in_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--port", "99999"]) == 2
    said = capsys.readouterr().err
    assert said == f'rum500 {command}: port: "99999" (--port); expected a whole number from 0 to 65535\n'


# --- the socket ---------------------------------------------------------------------------------------


def test_port_in_use_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--data", str(tmp_path), "--no-open"]) == 2
    assert capsys.readouterr().err == (
        f"rum500 serve: port: {port} is in use on 127.0.0.1; "
        "stop that program, or choose another port (0: a free one)\n"
    )


def test_unknown_host_is_refused_in_one_line() -> None:
    with pytest.raises(ConfigError, match=r'^host: "no.such.host.invalid"; expected a name or address of'):
        bind("no.such.host.invalid", 0)
    with pytest.raises(ConfigError, match=r'^host: "192\.0\.2\.7" is not an address of this machine$'):
        bind("192.0.2.7", 0)


def test_printed_addresses_open_in_a_browser() -> None:
    assert addresses_of("127.0.0.1", 8500) == ["http://127.0.0.1:8500/"]
    assert addresses_of("::1", 8500) == ["http://[::1]:8500/"]
    assert addresses_of("0.0.0.0", 8500)[0] == "http://127.0.0.1:8500/"


# --- secrets ------------------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_secret_is_created_once_and_private(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    first = secret_key(file)
    assert len(first) == 64
    assert mode(file) == 0o600
    assert list(tmp_path.iterdir()) == [file]
    file.chmod(0o644)
    assert secret_key(file) == first
    assert mode(file) == 0o600


def test_invalid_secret_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    file.write_text("\n")
    with pytest.raises(ConfigError, match=r"^data: .*secret\.key contains no key"):
        secret_key(file)


def test_data_folder_that_is_a_file_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert main(["serve", "--port", "0", "--no-open", "--data", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("rum500 serve: ")
    assert str(file) in said
    assert said.count("\n") == 1


def test_newer_database_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_store(tmp_path, lambda store: store.append("t", [entry(1)]))
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    assert main(["serve", "--port", "0", "--no-open", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("rum500 serve: ")
    assert "install the newer rum500" in said
    assert said.count("\n") == 1
