"""`rum500 config`: every key of the server's configuration, with its explanation and value."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from rum500.cli._server_options import ConfigFile, Flags, settled
from rum500.server.config import LoadedConfig, keys
from rum500.server.config_types import written

_WIDTH = 100
_HEADING = """\
# The configuration of `rum500 serve`. Each key can be set by a flag, by a variable of the environment, or in
# a TOML file such as this one (rum500 serve --config FILE, or RUM500_CONFIG=FILE); the first of these that
# sets it counts. What is commented out has its default.
"""


def command(*, config: ConfigFile = None, flags: Flags | None = None) -> None:
    """Print the server's configuration as a TOML file with comments.

    Each key has its meaning, its flag, its variable, the expected value and its default. If it is set, its
    value and the source of the value follow; tokens are not printed.
    """
    print(_HEADING)
    print("\n\n".join(_entries(settled(flags, config))))


def _entries(found: LoadedConfig) -> Iterator[str]:
    for key in keys():
        source = found.sources.get(key.name)
        about = (
            key.meaning,
            f"{key.flag}, {key.variable}: {key.kind.expected}; default: {key.default_shown}",
            *([f"set by {source}"] if source else []),
        )
        lines = [
            fill(text, _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
            for text in about
        ]
        shown = "" if key.is_secret else key.shown(getattr(found.config, key.name))
        value = f"{key.name} = {written(shown)}"
        yield "\n".join([*lines, value if source and not key.is_secret else f"#{value}"])
