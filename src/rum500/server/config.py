"""The configuration of the server: declares every key once, with its kind, its default and its meaning.

The flags of `rum500 serve`, the `RUM500_...` variables, the keys of the TOML file and the output of `rum500
config` all follow from the fields of `Config`. A flag overrides the environment, and the environment
overrides the file.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from rum500.server.config_types import (
    BOT_PAUSE_MS,
    BUDGET,
    FOLDER,
    HOSTS,
    MAX_BOT_PAUSE_MS,
    MODULES,
    NETWORKS,
    RATE,
    SERVICES,
    SWITCH,
    TOKEN,
    Kind,
    integer,
    one_of,
    origins,
    site,
    text,
    without_password,
    written,
)
from rum500.server.config_types import DATABASE as DATABASE_URL
from rum500.store import DATABASE, SECRET, VAPID, default_data_dir

__all__ = [
    "CONFIG_FLAG",
    "CONFIG_VARIABLE",
    "NICENESS",
    "Config",
    "ConfigError",
    "Key",
    "LoadedConfig",
    "keys",
    "load",
    "settle",
]

NICENESS = 5
"""The niceness of the processes of bots and reviews: the server has priority over them."""
PUSH_SERVICES = (
    "fcm.googleapis.com",
    "jmt17.google.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""The push services of Chrome and related browsers, Firefox, Safari and Edge."""
CONFIG_FLAG = "--config"
CONFIG_VARIABLE = "RUM500_CONFIG"


class ConfigError(Exception):
    """An unusable configuration. The message is one line with key, value, source and the expected value."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the configuration."""

    name: str
    kind: Kind
    """The values that it may have."""
    default: object
    meaning: str
    """One sentence for users."""
    default_shown: str
    """The default as shown to users: as TOML, or in words if it depends on the system."""

    @property
    def is_secret(self) -> bool:
        """Whether the value must not be shown."""
        return self.kind is TOKEN

    def shown(self, value: object) -> object:
        """Return a value as it may be shown: secret values are hidden."""
        return without_password(str(value)) if self.kind is DATABASE_URL else value

    @property
    def flag(self) -> str:
        """The command line flag; for a switch that is on by default, the flag that turns it off."""
        dashed = self.name.replace("_", "-")
        return f"--no-{dashed}" if self.default is True else f"--{dashed}"

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"RUM500_{self.name.upper()}"


def _key(kind: Kind, default: object, meaning: str, default_shown: str = "") -> Any:
    return field(default=default, metadata={"kind": kind, "meaning": meaning, "shown": default_shown})


_HERE = Path()
_DATA = "~/.local/share/rum500, or the system's folder for such data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be configured."""

    host: str = _key(text("a name or address of this machine"), "127.0.0.1", "The address to listen on.")
    port: int = _key(integer(0, 65535), 8500, "The port to listen on; 0 takes a free one.")
    data: Path = _key(FOLDER, _HERE, "The folder for the tables and the secret key.", _DATA)  # noqa: RUF009 - as `field`
    db: str = _key(
        DATABASE_URL,
        "",
        "The database, as a URL; keep one with a password in the file or in the environment.",
        f"{DATABASE} in the data folder",
    )
    processes: int = _key(
        integer(1, 64),
        1,
        "Processes behind the port, each with some of the tables; several need a database of PostgreSQL.",
    )
    node_url: tuple[str, ...] = _key(
        origins(single=True),
        (),
        "Where other servers reach this one, if several share a database of PostgreSQL.",
        "this server uses the database alone",
    )
    node_name: str = _key(
        text("a name", empty=True),
        "",
        "The name of this server in rum500 nodes.",
        "the host and port in node_url",
    )
    node_certificate: str = _key(
        text("a file", empty=True),
        "",
        "A PEM file with the certificate and key that this server shows to others at https addresses.",
        "none",
    )
    node_authority: str = _key(
        text("a file", empty=True),
        "",
        "A PEM file with the authority that signs the other servers' certificates.",
        "those of the system",
    )
    open: bool = _key(SWITCH, True, "Whether to open a browser, if there is a screen.")
    public_url: tuple[str, ...] = _key(
        site(),
        (),
        "The address that visitors use, for invitations; with a path, everything is below that path.",
        "the one in the visitor's request",
    )
    origins: tuple[str, ...] = _key(
        origins(), (), "Other sites whose pages may use this server.", "only this server's own"
    )
    allowed_hosts: tuple[str, ...] = _key(
        HOSTS,
        (),
        "More host names by which visitors reach this server; others are refused, against DNS rebinding.",
        "IP addresses, localhost, and the names in host, public_url and origins",
    )
    trusted_proxies: tuple[str, ...] = _key(
        NETWORKS, (), "The proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.", "none"
    )
    expire_days: int = _key(
        integer(0, 36_500),
        0,
        "Days after which unused tables, and guests without tables, are removed; 0: never.",
    )
    bot_pause_ms: int = _key(
        integer(0, MAX_BOT_PAUSE_MS),
        BOT_PAUSE_MS,
        "Milliseconds that a bot waits before each play, so that people can follow.",
    )
    bot_workers: int = _key(
        integer(0, 64),
        2,
        "Processes for bots that search, started when first needed; 0: use threads of the server.",
    )
    review_workers: int = _key(
        integer(0, 64),
        32,
        "The most processes for reviews of one address, at least one and at most half of bot_workers; "
        "several addresses have one more. 0: no reviews.",
    )
    review_budget: str = _key(
        BUDGET, "usual", "How thoroughly decisions are judged: quick, usual, deep, or a number of worlds."
    )
    review_niceness: int = _key(
        integer(0, 19),
        NICENESS,
        f"By how much the priority of processes for reviews is below the server's; bots have {NICENESS}.",
    )
    bot_modules: tuple[str, ...] = _key(
        MODULES, (), "Python modules that register additional bots, which tables then offer.", "none"
    )
    push: bool = _key(
        SWITCH,
        True,
        "Whether browsers that ask for it are sent a message when a table waits for their guest.",
    )
    push_contact: str = _key(
        text("a mail address or a site such as mailto:ann@example.org", empty=True),
        "",
        "Where push services reach the host if messages trouble them.",
        "the site in public_url, else none",
    )
    push_services: tuple[str, ...] = _key(
        SERVICES,
        PUSH_SERVICES,
        "The push services that are sent messages, with a port if it is not 443; * allows any public host.",
    )
    push_networks: tuple[str, ...] = _key(
        NETWORKS, (), "Networks in which push services may be, in addition to public addresses.", "none"
    )
    max_connections: int = _key(integer(1, 1_000_000), 10_000, "The largest number of connections at a time.")
    handshake_s: int = _key(
        integer(1, 300), 10, "Seconds in which a connection must send its request, or join its table."
    )
    ping_s: int = _key(
        integer(5, 3600),
        30,
        "Seconds between two pings of a table's connection; it is closed if there is no answer.",
    )
    outbox_kb: int = _key(
        integer(16, 65_536), 256, "Kilobytes that may wait for a slow connection before it is closed."
    )
    limits: bool = _key(SWITCH, True, "Whether the limits below are enforced.")
    connections_per_address: int = _key(
        integer(1, 1_000_000), 200, "The largest number of connections to tables at a time from one address."
    )
    http_per_address: int = _key(
        integer(1, 1_000_000),
        200,
        "The largest number of other connections at a time from one address, except a trusted proxy.",
    )
    connects: str = _key(RATE, "240 per 1 minute", "Connections to tables, by address.")
    joins: str = _key(RATE, "60 per 1 minute", "Joins of tables, by guest.")
    requests: str = _key(RATE, "600 per 1 minute", "HTTP requests, except those for the page, by address.")
    pages: str = _key(RATE, "3000 per 1 minute", "Requests for the page and its files, by address.")
    new_guests: str = _key(RATE, "60 per 1 minute", "New guests, by address.")
    new_tables: str = _key(RATE, "20 per 1 minute", "New tables, by guest; by address five times as many.")
    running_tables: int = _key(
        integer(1, 1_000_000),
        50,
        "The largest number of tables in memory that one guest made; by address five times as many.",
    )
    bot_tokens: str = _key(RATE, "20 per 1 minute", "New tokens for external bots, by guest.")
    replays: str = _key(RATE, "60 per 1 minute", "Replays and records, by address.")
    reviews: str = _key(RATE, "30 per 1 minute", "Requests to judge a deal or a match, by guest.")
    looks: str = _key(
        RATE, "240 per 1 minute", "Beliefs and open hands at a decision of a finished deal, by address."
    )
    practice: str = _key(
        RATE, "120 per 1 minute", "Puzzles, mistakes, drills, answers and votes, by guest or address."
    )
    questions: str = _key(
        RATE, "240 per 1 minute", "Questions to the rules about a position in practice, by address."
    )
    browsers: str = _key(RATE, "20 per 1 minute", "Changes of a guest's browsers for messages, by guest.")
    pads: str = _key(RATE, "60 per 1 minute", "Changes of score sheets that others watch, by address.")
    names: str = _key(RATE, "10 per 1 minute", "Changes of name, by guest.")
    sign_outs: str = _key(RATE, "10 per 1 minute", "Signing out on all other devices, by guest.")
    device_codes: str = _key(
        RATE, "20 per 1 hour", "New codes for other devices, new recovery words and deletions, by guest."
    )
    device_tries: str = _key(
        RATE, "10 per 1 hour", "Codes and recovery words that a device gives, by address."
    )
    messages: str = _key(RATE, "100 per 5 second", "Messages of all kinds, by guest.")
    chats: str = _key(RATE, "20 per 1 minute", "Lines of chat and reactions, by guest.")
    seat_requests: str = _key(RATE, "3 per 1 hour", "Requests for a lost seat, by guest and by address.")
    metrics: str = _key(
        one_of("local", "all", "off"), "local", "Who may read /metrics: this machine, all, or nobody."
    )
    metrics_token: str = _key(
        TOKEN, "", "The token with which any machine may read /metrics, by `Authorization: Bearer`.", "none"
    )
    log: str = _key(one_of("text", "json"), "text", "The format of the log on standard error.")
    log_level: str = _key(
        one_of("debug", "info", "warning", "error"), "info", "The lowest level of entries that are logged."
    )

    def __post_init__(self) -> None:
        if self.data == _HERE:  # only the default is relative: a configured folder is absolute
            object.__setattr__(self, "data", default_data_dir())

    @property
    def prefix(self) -> str:
        """The path below which visitors see the server, such as `/cards`; empty without one."""
        return urlsplit(self.public_url[0]).path if self.public_url else ""

    @property
    def own_origins(self) -> tuple[str, ...]:
        """The origins whose pages may use this server."""
        return (*self.origins, *(one.removesuffix(self.prefix) for one in self.public_url))

    @property
    def database(self) -> str:
        """The URL of the database."""
        return self.db or f"sqlite:///{self.data / DATABASE}"

    @property
    def review_processes(self) -> int:
        """The number of processes that reviews for one address may use."""
        return min(self.review_workers, max(1, self.bot_workers // 2))

    @property
    def secret_file(self) -> Path:
        """The file with the key that signs the guests' cookies."""
        return self.data / SECRET

    @property
    def vapid_file(self) -> Path:
        """The file with another key that signs push messages; it need not exist."""
        return self.data / VAPID

    @property
    def contact(self) -> str:
        """How push services can contact the operator, as a URL without a port."""
        given = self.push_contact
        if given:
            return f"mailto:{given}" if "@" in given and ":" not in given else given
        sites = [urlsplit(one).hostname for one in self.public_url if one.startswith("https:")]
        return f"https://{sites[0] if sites else 'localhost'}"


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A configuration, and the sources of its values."""

    config: Config
    sources: Mapping[str, str]
    """By key, the flag, variable or file that set the value; keys with their default are absent."""


def keys() -> Iterator[Key]:
    """Yield every key, in the order of the fields of `Config`."""
    for one in fields(Config):
        shown = one.metadata["shown"] or written(one.default if one.default != "" else "off")
        yield Key(
            one.name,
            one.metadata["kind"],
            one.default,
            one.metadata["meaning"],
            shown,
        )


def load(flags: Mapping[str, object], environ: Mapping[str, str], file: Path | None = None) -> Config:
    """Return the configuration from flags, environment and file.

    `flags` has values by key, None for flags that are not given. If `file` is None, the environment may name
    one. Raises `ConfigError` for an unknown key, an invalid value or an unreadable file.
    """
    return settle(flags, environ, file).config


def settle(flags: Mapping[str, object], environ: Mapping[str, str], file: Path | None = None) -> LoadedConfig:
    """Return the configuration as `load` does, with the source of each value."""
    named_file = file or (Path(environ[CONFIG_VARIABLE]) if environ.get(CONFIG_VARIABLE) else None)
    in_file = {} if named_file is None else _read(named_file)
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for key in keys():
        for given, source in (
            (flags.get(key.name), key.flag),
            (environ.get(key.variable), key.variable),
            (in_file.get(key.name), str(named_file)),
        ):
            if given is not None:
                values[key.name] = _value(key, given, source)
                sources[key.name] = source
                break
    # The kind of each key has checked its value.
    return LoadedConfig(Config(**cast("dict[str, Any]", values)), sources)


def _value(key: Key, given: object, source: str) -> object:
    try:
        return key.kind.read(given)
    except ValueError:
        shown = written(key.shown(given)) if isinstance(given, str | int) else repr(given)
        shown = "what is given" if key.is_secret else shown
        raise ConfigError(f"{key.name}: {shown} ({source}); expected {key.kind.expected}") from None


def _read(file: Path) -> dict[str, object]:
    """Return the values in a TOML file, by key. Raises `ConfigError` for an unknown key or a bad file."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: is not TOML: {error}") from None
    known = [key.name for key in keys()]
    for name in found:
        if name not in known:
            near = difflib.get_close_matches(name.casefold().replace("-", "_"), known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else "rum500 config lists the keys"
            raise ConfigError(f"{file}: there is no key {name!r}; {hint}")
    return found
