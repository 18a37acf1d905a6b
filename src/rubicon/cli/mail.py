"""`rubicon mail`: run a server for play by e-mail, check its settings, send a test."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from rubicon.errors import RubiconError


def _settings_option(command: click.Command) -> click.Command:
    option = click.Option(
        ["--settings"],
        type=click.Path(path_type=Path),
        envvar="RUBICON_SETTINGS",
        help="A TOML file of settings; also RUBICON_SETTINGS.",
    )
    command.params.append(option)
    return command


@click.group("mail")
def command() -> None:
    """Play by e-mail.

    docs/play-by-mail.md explains the settings, and deploy/rubicon.toml is an example.
    """


@click.command("serve")
def serve(settings: Path | None) -> int:
    """Run the server, and refuse to start where players could not answer its e-mails.

    It is `rubicon serve` with play by e-mail: the games are on the web too.
    """
    from rubicon.cli import serve as server
    from rubicon.server.settings import read_settings

    if not read_settings(settings).mail_receive:
        message = "The setting mail_receive is missing: players could not answer e-mails."
        hint = "Write lmtp://127.0.0.1:8024 or imaps://USER:PASSWORD@HOST/INBOX."
        raise RubiconError("serve/settings", message, hint)
    return server.run(settings, {})


@click.command("check")
def check(settings: Path | None) -> int:
    """Try the settings of e-mail one by one. Exit status 1 where one of them does not work.

    It sends nothing, and takes no e-mail away.
    """
    from rubicon.mail.mail_service import check_mail
    from rubicon.server.settings import read_settings

    wrong = 0
    for finding in check_mail(read_settings(settings)):
        click.echo(str(finding))
        wrong += not finding.good
    return 1 if wrong else 0


@click.command("send-test")
@click.argument("address")
def send_test(address: str, settings: Path | None) -> int:
    """Send a test e-mail to ADDRESS."""
    from rubicon.mail.mail_service import test_email
    from rubicon.server.delivery import transport_for
    from rubicon.server.settings import read_settings

    chosen = read_settings(settings)
    message = test_email(chosen, address)
    asyncio.run(transport_for(chosen.mail_server).send(message))
    if chosen.mail_server:
        click.echo(f"Handed to the mail server: {message['Message-ID']}")
        click.echo("If it does not come, look in the spam folder, then in the mail server's log.")
    return 0


for _each in (serve, check, send_test):
    command.add_command(_settings_option(_each))
