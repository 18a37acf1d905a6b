"""`rubicon serve`: run the server."""

from __future__ import annotations

import gc
import json
import shlex
import socket
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from rubicon.engine.compiler.workers import Compilation

SETTINGS_HELP = """Settings and their defaults, as lines of a settings file. An environment variable
overrides the file, and an option of the command overrides both:"""
ALL_NETWORKS = ("0.0.0.0", "::")
# A full collection among thousands of open streams takes 0.2 s, so it runs rarely.
GC_THRESHOLDS = (100_000, 50, 100)
# Seconds after which a thread that computes lets others run. With Python's 0.005 a busy event loop
# slows the writer thread down by that much at each statement.
SWITCH_INTERVAL = 0.0005


def _settings_help() -> str:
    from rubicon.server.settings import MEANINGS, PREFIX, ServerSettings

    defaults = ServerSettings()
    rows = []
    for name, meaning in MEANINGS.items():
        default = json.dumps(getattr(defaults, name))
        rows += [f"  {name} = {default}", f"    {PREFIX}{name.upper()}", *_wrapped(meaning)]
    return "\n".join([SETTINGS_HELP, *rows])


def _wrapped(meaning: str) -> list[str]:
    return textwrap.wrap(meaning, 78, initial_indent="    ", subsequent_indent="    ")


class CommandWithSettings(click.Command):
    """A command whose help ends with the table of settings."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table."""
        formatter.write("\n" + _settings_help() + "\n")


@click.command("serve", cls=CommandWithSettings)
@click.option(
    "--settings",
    type=click.Path(path_type=Path),
    envvar="RUBICON_SETTINGS",
    help="A TOML file of settings; also RUBICON_SETTINGS.",
)
@click.option("--store", help="The URL of the database.")
@click.option("--address", help="The address to listen on; 0.0.0.0 for all networks.")
@click.option("--port", type=int, help="The port to listen on; 0 picks a free one.")
@click.option(
    "--meanwhile",
    metavar="COMMAND",
    help="Run COMMAND while the rules are compiled; games begin when both are done.",
)
def command(
    settings: Path | None,
    store: str | None,
    address: str | None,
    port: int | None,
    meanwhile: str | None,
) -> int:
    """Run a server for games over HTTP.

    In an empty folder it creates a SQLite file. Control-C shuts it down cleanly.
    """
    return run(settings, {"store": store, "address": address, "port": port}, meanwhile)


def run(settings: Path | None, arguments: dict[str, Any], meanwhile: str | None = None) -> int:
    """Run a server with a file of settings and the arguments that override it."""
    from rubicon.cli.warmup import compile_to_play
    from rubicon.mail.mail_service import play_by_mail
    from rubicon.mail.writing.game_emails import game_emails
    from rubicon.server.log_config import configure_logging
    from rubicon.server.server import Server
    from rubicon.server.settings import read_settings
    from rubicon.web.app import raise_file_limit, serve
    from rubicon.web.http.connections import listen

    chosen = read_settings(settings, arguments=arguments)
    configure_logging(chosen.log_format)
    by_mail = play_by_mail(chosen)
    raise_file_limit()  # before the first visitors
    # Before the rules are compiled: a port in use is reported at once.
    with listen(chosen.address, chosen.port) as listening, compile_to_play() as compilation:
        get_ready(listening, compilation, meanwhile)
        server = Server(chosen, by_mail.write_emails if by_mail else game_emails)
        if by_mail:
            part = by_mail.beside(server)
            server.beside.append(part)
            try:
                part.open()  # an address in use is told at once
            except RubiconError:
                server.close()
                raise
        admin_token = server.accounts.create_admin_token()

        def ready(url: str) -> None:
            click.echo(f"Rubicon serves {url}")
            if chosen.address in ALL_NETWORKS:
                click.echo(f"In your network: http://{_own_address()}:{listening.getsockname()[1]}")
            click.echo(f"Games are stored in {server.store.display_name}")
            if by_mail:
                click.echo(f"Players answer e-mails to {by_mail.address.addr_spec}")
            if admin_token is not None:
                click.echo(f"Admin token, shown only this once: {admin_token}")

        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.collect()
        gc.set_threshold(*GC_THRESHOLDS)
        gc.freeze()  # the compiled rules live for ever: no collection needs to look at them
        serve(server, listening, ready)
    return 0


def get_ready(listening: socket.socket, compilation: Compilation, meanwhile: str | None) -> None:
    """Load what an order needs, and wait for a command that was started meanwhile.

    Where something is still to be compiled, the server's page says for how long. The bots are
    compiled after that: their first moves wait in their own process.
    """
    from rubicon.cli.warmup import warm_kernels
    from rubicon.engine.compiler.workers import seconds_left
    from rubicon.odds.warmup import warm
    from rubicon.web.http.connections import url_of
    from rubicon.web.http.starting_page import starting_page

    command = subprocess.Popen(shlex.split(meanwhile)) if meanwhile else None

    def left() -> float:
        compiled = seconds_left() or 0.0
        return max(compiled, 1.0 if command is not None and command.poll() is None else 0.0)

    def load() -> None:
        warm()
        if command is not None and command.wait():
            raise RubiconError("serve/meanwhile", f"This command failed: {meanwhile}.")

    if not compilation.kernels and command is None:
        warm_kernels(warm)
        return
    with starting_page(listening, left):
        if compilation.kernels:
            click.echo(f"Open {url_of(listening)} now: it shows when the board is ready.", err=True)
        try:
            warm_kernels(load)
        finally:
            if command is not None:
                command.terminate()


def _own_address() -> str:
    """This machine's address in its network; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
