"""The server's settings: one typed table, read from a file, the environment and arguments."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rubicon.errors import RubiconError
from rubicon.wording import nearest

PREFIX = "RUBICON_"
# Variables with that prefix that are no settings: of the command line, and of the project's tests.
OTHER_VARIABLES = frozenset(
    {"SETTINGS", "TRACEBACK", "FULL", "TEST_PG_URL", "TEST_SEED", "WRITE_OPENAPI"}
    | {"UPDATE_PICTURES"}
)
MAXIMUM = 65_535  # of every number
MINIMUM = {
    "bot_processes": 1,
    "request_timeout": 1,
    "mail_poll_seconds": 1,
}  # of numbers for which 0 has no meaning
CHOICES = {"log_format": ("text", "json")}
SWITCH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server is started with; `MEANINGS` explains each setting."""

    store: str = field(default="sqlite:///rubicon.db", repr=False)  # it may hold a password
    address: str = "127.0.0.1"
    port: int = 8042
    public_url: str = ""
    trusted_proxy: str = ""
    bot_processes: int = 1
    requests_per_minute: int = 3000
    guests_per_hour: int = 60
    tables_per_hour: int = 60
    tables_per_account: int = 20
    connections_per_address: int = 200
    streams_per_address: int = 100
    request_timeout: int = 20
    log_format: str = "text"
    access_log: bool = False
    mail_server: str = field(default="", repr=False)  # it may hold a password
    mail_from: str = ""
    email_delay_seconds: int = 60
    mail_receive: str = field(default="", repr=False)  # it may hold a password
    mail_reply_to: str = ""
    mail_authentication_servers: str = ""
    mail_poll_seconds: int = 30
    web_push: bool = True
    webhooks: bool = True
    dice_server: str = ""
    dice_server_key: str = ""
    dice_server_token: str = field(default="", repr=False)


LIMITS = {
    "requests_per_minute": "Requests that one address may make in a minute",
    "guests_per_hour": "Guest accounts that one address may create in an hour",
    "tables_per_hour": "Tables that one address may open in an hour",
    "tables_per_account": "Tables that one account may host at the same time",
    "connections_per_address": "Connections that one address may have open",
    "streams_per_address": "Event streams that one address may have open",
}
MEANINGS = {
    "store": "The database: sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME.",
    "address": "The address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for all"
    " networks.",
    "port": "The port to listen on; 0 picks a free one.",
    "public_url": "The URL under which people reach the server, for links in e-mails"
    " and for passkeys: https://risk.example.org",
    "trusted_proxy": "The address of the reverse proxy whose X-Forwarded-* headers are trusted.",
    "bot_processes": "The number of processes that compute the bots' decisions.",
    **{name: f"{meaning}; 0 for no limit." for name, meaning in LIMITS.items()},
    "request_timeout": "Seconds in which a client must send a request and read its response.",
    "log_format": "The format of the log on standard error: text or json.",
    "access_log": "true logs every request: its route, status and duration.",
    "mail_server": "The mail server: smtp://USER:PASSWORD@HOST:587, or smtps://…:465. If empty,"
    " e-mails are printed to the console. STARTTLS is required unless the mail server runs on this"
    " machine; ?starttls=0 or 1 overrides that.",
    "mail_from": "The From address of e-mails: Rubicon <rubicon@risk.example.org>",
    "email_delay_seconds": "Seconds that a decision must be pending before an e-mail is sent.",
    "mail_receive": "Where e-mails of players come from, one or more URLs with spaces between them:"
    " lmtp://127.0.0.1:8024 or smtp://0.0.0.0:25 to be given them by a mail server,"
    " imaps://USER:PASSWORD@HOST/INBOX to fetch them from a mailbox. If empty, e-mails cannot be"
    " answered.",
    "mail_reply_to": "The address that players answer to, if it is not that of mail_from. A"
    " token is added after a plus: play+TOKEN@risk.example.org",
    "mail_authentication_servers": "The names of your own mail servers in the header"
    " Authentication-Results, such as mx.example.org. Only theirs are believed.",
    "mail_poll_seconds": "Seconds between two checks of a mailbox that does not announce new"
    " e-mails.",
    "web_push": "Whether players can ask for push messages on their devices: the server then"
    " sends requests to the push services of their browsers.",
    "webhooks": "Whether players can have notifications sent to a URL of their own: the server then"
    " sends requests to public addresses that players name.",
    "dice_server": "The URL of an independent dice server (rubicon dice serve), which takes part in"
    " the dice of tables that choose it: https://dice.example.org",
    "dice_server_key": "Its public key. If empty, the key of its first answer is kept for ever.",
    "dice_server_token": "The token with which this server asks it, if it wants one.",
}


def read_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Mapping[str, object] | None = None,
) -> ServerSettings:
    """Settings from a file, overridden by the environment (RUBICON_PORT=8042), then arguments.

    RubiconError `serve/settings` for an unknown setting or a bad value.
    """
    values: dict[str, Any] = {}
    if file is not None:
        values |= _from_file(file)
    environ = os.environ if environment is None else environment
    names = [field.name for field in fields(ServerSettings)]
    _check_variables(environ, names)
    for name in names:
        if PREFIX + name.upper() in environ:
            values[name] = environ[PREFIX + name.upper()]
    values |= {name: value for name, value in (arguments or {}).items() if value is not None}
    checked: dict[str, Any] = {name: _value(name, value, names) for name, value in values.items()}
    return ServerSettings(**checked)


def _check_variables(environ: Mapping[str, str], names: list[str]) -> None:
    """RubiconError where a variable looks like a setting and is none: it would be ignored."""
    known = [PREFIX + name.upper() for name in names]
    for variable in environ:
        if variable.startswith(PREFIX) and variable not in known:
            if variable.removeprefix(PREFIX) in OTHER_VARIABLES:
                continue
            message = f"The environment variable {variable[:60]} is no setting of the server."
            hint = nearest(variable, known) or "`rubicon serve --help` lists the settings."
            raise RubiconError("serve/settings", message, hint)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"The settings file {str(file)[:200]!r} cannot be read: {error}."
        raise RubiconError("serve/settings", message, "Write TOML, such as: port = 8042") from error


def _value(name: str, value: object, names: list[str]) -> object:
    if name not in names:
        message = f"Unknown setting {name[:40]!r}."
        hint = f"{nearest(name, names)} The settings are: {', '.join(names)}.".lstrip()
        raise RubiconError("serve/settings", message, hint)
    default = getattr(ServerSettings(), name)
    if isinstance(default, bool):
        return _switch(name, value)
    if not isinstance(default, int):
        return _text(name, str(value))
    minimum = MINIMUM.get(name, 0)
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if not minimum <= number <= MAXIMUM or isinstance(value, bool):
        raise _invalid(name, value, f"a whole number from {minimum} to {MAXIMUM}")
    return number


def _switch(name: str, value: object) -> bool:
    text = str(value).strip().lower()
    if text not in SWITCH:
        raise _invalid(name, value, "true or false")
    return SWITCH[text]


def _text(name: str, value: str) -> str:
    choices = CHOICES.get(name)
    if choices is not None and value not in choices:
        raise _invalid(name, value, " or ".join(choices))
    return value


def _invalid(name: str, value: object, expected: str) -> RubiconError:
    message = f"The setting {name} cannot be {str(value)[:40]!r}."
    return RubiconError("serve/settings", message, f"It must be {expected}.")
