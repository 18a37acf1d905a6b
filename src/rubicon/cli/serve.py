"""`rubicon serve`: run the server."""

from __future__ import annotations

import gc
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from rubicon.errors import RubiconError
from rubicon.wording import quoted

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
END_SECONDS = 5.0  # for a command to end by itself
ENDING = [signal.Signals[one] for one in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, one)]


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
    with ExitStack() as stack:
        with ended_by_signals():
            # Before the rules are compiled: a port in use is reported at once.
            listening = stack.enter_context(listen(chosen.address, chosen.port))
            compilation = stack.enter_context(compile_to_play())
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

    with running(meanwhile) as command:

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
                url = url_of(listening)
                click.echo(f"Open {url} now: it shows when the board is ready.", err=True)
            warm_kernels(load)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """End the program with status 0 on a signal, as the server does, and clean up before that.

    A signal that is ignored, as after `nohup`, stays so.
    """

    def leave(number: int, _: FrameType | None) -> None:
        raise SystemExit(0)

    with _handled_by(leave):
        yield


@contextmanager
def _signals_delayed() -> Iterator[None]:
    """Let signals that come in this block have their effect at its end."""
    arrived: list[int] = []
    try:
        with _handled_by(lambda number, _: arrived.append(number)):
            yield
    finally:
        for number in arrived[:1]:
            signal.raise_signal(number)


@contextmanager
def _handled_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may change them
        before = {one: signal.getsignal(one) for one in ENDING}
    changed = {one: old for one, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in changed:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in changed.items():
            signal.signal(number, old)


@contextmanager
def running(command: str | None) -> Iterator[subprocess.Popen[bytes] | None]:
    """Start a command, if there is one; what is left of it at the end is ended."""
    process = None
    try:
        # A signal while it starts would leave it without anyone who knows its number.
        with _signals_delayed():
            process = _started(command) if command else None
        yield process
    finally:
        if process is not None and process.poll() is None:
            _end(process)


def _started(command: str) -> subprocess.Popen[bytes]:
    try:
        # A group of its own: all that it starts ends with it.
        return subprocess.Popen(shlex.split(command), start_new_session=True)
    except (OSError, ValueError, IndexError) as error:
        why = "it names no program" if isinstance(error, IndexError) else str(error)
        if isinstance(error, OSError):
            why = error.strerror or why
        raise RubiconError(
            "serve/meanwhile",
            f"{quoted(command)} cannot be started: {why.rstrip('.')}.",
            "Write --meanwhile with a program and its arguments, as in a shell.",
        ) from error


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started; it has a moment to clean up."""
    _send_to_group(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_SECONDS)
    _send_to_group(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    process.wait()


def _send_to_group(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.terminate()


def _own_address() -> str:
    """This machine's address in its network; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
