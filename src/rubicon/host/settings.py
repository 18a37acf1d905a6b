"""The settings of a host: one typed table, read from a file, the environment and arguments."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rubicon.rules.errors import RubiconError

PREFIX = "RUBICON_"
MOST = 65_535
LEAST = {"bot_processes": 1, "patience": 1}
CHOICES = {"log_format": ("text", "json")}
SWITCH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What a host is started with; `MEANINGS` says what each is for."""

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
    patience: int = 20
    log_format: str = "text"
    log_requests: bool = False
    mail_server: str = field(default="", repr=False)  # it may hold a password
    mail_from: str = ""
    letters_after: int = 60


LIMITS = {
    "requests_per_minute": "How many requests one address may make in a minute",
    "guests_per_hour": "How many accounts one address may make in an hour",
    "tables_per_hour": "How many tables one address may open in an hour",
    "tables_per_account": "How many tables an account may host that are not over",
    "connections_per_address": "How many connections one address may have open",
    "streams_per_address": "How many live streams one address may have open",
}
MEANINGS = {
    "store": "The database: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME.",
    "address": "Where to listen: 127.0.0.1 for this machine alone, 0.0.0.0 for all networks.",
    "port": "The port; 0 takes a free one.",
    "public_url": "How people reach it, for links: https://risk.example.org",
    "trusted_proxy": "The address of a proxy whose X-Forwarded-… headers are believed.",
    "bot_processes": "How many processes think for the bots.",
    **{name: f"{meaning}; 0 for no limit." for name, meaning in LIMITS.items()},
    "patience": "Seconds for a request to come whole, and for an answer to be taken.",
    "log_format": "text or json: how what happens is written to the standard error.",
    "log_requests": "true writes a line for every request: its route, status and time.",
    "mail_server": "Who sends letters: smtp://USER:PASSWORD@HOST:587, or smtps://…:465; empty: they"
    " are written to the console. STARTTLS is asked for unless the server is this machine, or"
    " ?starttls=0 (or 1) says otherwise.",
    "mail_from": "Whom letters come from: Rubicon <rubicon@risk.example.org>",
    "letters_after": "Seconds that a turn must wait before a letter tells of it.",
}


def read_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Mapping[str, object] | None = None,
) -> HostSettings:
    """A file, then the environment (RUBICON_PORT=8042), then arguments; the last one counts."""
    values: dict[str, Any] = {}
    if file is not None:
        values |= _of_file(file)
    environ = os.environ if environment is None else environment
    names = [field.name for field in fields(HostSettings)]
    for name in names:
        if PREFIX + name.upper() in environ:
            values[name] = environ[PREFIX + name.upper()]
    values |= {name: value for name, value in (arguments or {}).items() if value is not None}
    read: dict[str, Any] = {name: _value(name, value, names) for name, value in values.items()}
    return HostSettings(**read)


def _of_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"The settings in {str(file)[:200]!r} cannot be read: {error}."
        raise RubiconError("serve/settings", message, "It is a TOML file: port = 8042") from error


def _value(name: str, value: object, names: list[str]) -> object:
    if name not in names:
        message = f"There is no setting {name[:40]!r}."
        raise RubiconError("serve/settings", message, f"There are: {', '.join(names)}.")
    default = getattr(HostSettings(), name)
    if isinstance(default, bool):
        return _switch(name, value)
    if not isinstance(default, int):
        return _text(name, str(value))
    least = LEAST.get(name, 0)
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if not least <= number <= MOST or isinstance(value, bool):
        raise _bad(name, value, f"a whole number from {least} to {MOST}")
    return number


def _switch(name: str, value: object) -> bool:
    said = str(value).strip().lower()
    if said not in SWITCH:
        raise _bad(name, value, "true or false")
    return SWITCH[said]


def _text(name: str, value: str) -> str:
    choices = CHOICES.get(name)
    if choices is not None and value not in choices:
        raise _bad(name, value, " or ".join(choices))
    return value


def _bad(name: str, value: object, wanted: str) -> RubiconError:
    message = f"The setting {name} cannot be {str(value)[:40]!r}."
    return RubiconError("serve/settings", message, f"It is {wanted}.")
