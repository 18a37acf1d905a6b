"""`rubicon serve`: hosted games behind one HTTP API."""

from __future__ import annotations

import gc
import json
import socket
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

SETTINGS_ARE = """Settings and their defaults, as lines of the file of --settings. A variable of the
environment counts more than the file, an option of the command more than both:"""
EVERYWHERE = ("0.0.0.0", "::")
RARELY = (100_000, 50, 100)  # a look for garbage among thousands of streams takes 0.2 s


def _settings_help() -> str:
    from rubicon.host.settings import MEANINGS, PREFIX, HostSettings

    defaults = HostSettings()
    rows = []
    for name, meaning in MEANINGS.items():
        default = json.dumps(getattr(defaults, name))
        rows += [f"  {name} = {default}", f"    {PREFIX}{name.upper()}", *_wrapped(meaning)]
    return "\n".join([SETTINGS_ARE, *rows])


def _wrapped(meaning: str) -> list[str]:
    return textwrap.wrap(meaning, 78, initial_indent="    ", subsequent_indent="    ")


class Explained(click.Command):
    """A command whose help ends with the table of settings."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table."""
        formatter.write("\n" + _settings_help() + "\n")


@click.command("serve", cls=Explained)
@click.option(
    "--settings",
    type=click.Path(path_type=Path),
    envvar="RUBICON_SETTINGS",
    help="A TOML file of settings; RUBICON_SETTINGS names one, too.",
)
@click.option("--store", help="The database, as a URL.")
@click.option("--address", help="Where to listen; 0.0.0.0 for all networks.")
@click.option("--port", type=int, help="The port; 0 takes a free one.")
def command(settings: Path | None, store: str | None, address: str | None, port: int | None) -> int:
    """Host games: open it in a browser, or play by program.

    On an empty folder it starts with a SQLite file of its own. Control-C ends it in good order.
    """
    from rubicon.cli.warmup import warm_kernels
    from rubicon.host.host import Host
    from rubicon.host.logs import set_up_logs
    from rubicon.host.settings import read_settings
    from rubicon.web.serving import listen, serve

    arguments: dict[str, Any] = {"store": store, "address": address, "port": port}
    chosen = read_settings(settings, arguments=arguments)
    set_up_logs(chosen.log_format)
    listening = listen(chosen.address, chosen.port)
    warm_kernels(warm_to_serve)
    host = Host(chosen)
    admin = host.accounts.admin_token()

    def ready(url: str) -> None:
        click.echo(f"Rubicon serves {url}")
        if chosen.address in EVERYWHERE:
            click.echo(f"In your network: http://{_own_address()}:{listening.getsockname()[1]}")
        click.echo(f"Games are kept in {host.store.shown}")
        if admin is not None:
            click.echo(f"The admin's token, shown this once: {admin}")

    gc.collect()
    gc.set_threshold(*RARELY)
    gc.freeze()  # compiled rules stay: else they are looked through again while somebody waits
    serve(host, listening, ready)
    return 0


def warm_to_serve(progress: Callable[[int, int, str], None]) -> None:
    """What the first order of a game would wait for: the rules and the odds."""
    from rubicon.odds.warmup import warm as warm_odds
    from rubicon.rules.warmup import warm as warm_rules

    warm_rules(progress)
    warm_odds(progress)


def _own_address() -> str:
    """The address by which this machine is met in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
