"""`rubicon dice`: run an independent dice server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

MOST = 65_535  # of every number
DEFAULTS: dict[str, Any] = {
    "store": "rubicon-dice.db",
    "key_file": "rubicon-dice.key",
    "address": "127.0.0.1",
    "port": 8043,
    "tokens": "",
    "games_per_day": 1000,
    "requests_per_minute": 6000,
    "connections_per_address": 200,
    "request_timeout": 20,
    "games_in_memory": 500,
    "trusted_proxy": "",
}
MEANINGS = {
    "store": "The SQLite file of the games; one process uses it.",
    "key_file": "The file of the private key, made at the first start.",
    "address": "The address to listen on; 0.0.0.0 for all networks.",
    "port": "The port to listen on; 0 picks a free one.",
    "tokens": "NAME=TOKEN,NAME=TOKEN: only tables with such a token are served. Others can read a"
    " process's options: the environment variable is better.",
    "games_per_day": "Games that one table, or without tokens one address, may open in a day; 0 for"
    " no limit.",
    "requests_per_minute": "Requests that one address may make in a minute; 0 for no limit.",
    "connections_per_address": "Connections that one address may have open; 0 for no limit.",
    "request_timeout": "Seconds in which a request must be sent, answered and read.",
    "games_in_memory": "Games that are kept in memory.",
    "trusted_proxy": "The address of the reverse proxy whose X-Forwarded-* headers are trusted.",
}
MINIMUM = {"request_timeout": 1, "games_in_memory": 1}
Command = TypeVar("Command", bound=Callable[..., Any])


def with_settings(command: Command) -> Command:
    """An option and an environment variable for each setting."""
    for name, default in reversed(DEFAULTS.items()):
        number = isinstance(default, int)
        option = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=click.IntRange(MINIMUM.get(name, 0), MOST) if number else str,
            default=default,
            show_default=default != "",
            envvar=f"RUBICON_DICE_{name.upper()}",
            show_envvar=True,
            help=MEANINGS[name],
        )
        command = option(command)
    return command


@click.group("dice")
def command() -> None:
    """Run an independent dice server.

    docs/hosting.md says what it is for, and how a table uses it.
    """


@command.command("serve")
@with_settings
def serve_dice(store: str, key_file: str, tokens: str, **more: Any) -> int:
    """Run a dice server: it takes part in every roll of the tables that name it.

    It makes its key at the first start, and prints the public one. Control-C stops it.
    """
    from rubicon.dice_server.games import DiceServerSettings, read_tokens
    from rubicon.dice_server.serving import serve
    from rubicon.server.log_config import configure_logging

    configure_logging()
    settings = DiceServerSettings(
        store=Path(store), key_file=Path(key_file), tokens=read_tokens(tokens), **more
    )

    def ready(url: str, key: bytes) -> None:
        click.echo(f"The dice server answers at {url}")
        click.echo(f"Games are stored in {store}")
        click.echo(f"Public key: {key.hex()}")

    serve(settings, ready)
    return 0
